"""Long-term memory for LLM agents, kept in Neo4j."""
