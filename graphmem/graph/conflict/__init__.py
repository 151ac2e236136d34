"""The conflict pipeline: what becomes of a statement beside what is known already.

The words of a language (`locales`) take a statement apart (`reading`); it is laid beside what is
known (`comparing`), and five `stages` say in their order what becomes of it. `resolve` leads it
through them; `model` is what goes in and comes out.
"""
