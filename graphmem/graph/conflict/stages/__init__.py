"""The five stages, a module each: exact, embedding, heuristic, triple, defer.

They are asked in this order, which `resolve` holds; the first that says something decides.
"""
