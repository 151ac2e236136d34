"""neo4j-graphrag: chunks with a vector and a full-text index, and its retrievers over them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from benchmarks.floor import read_statement
from benchmarks.peers.corpus import Corpus, Search, SharedVectors

if TYPE_CHECKING:
    from graphmem.config import Settings

__all__ = ["GraphragPeer"]

_BATCH = 500
# Its retrievers hand a question to Lucene as it is, where these are operators.
_OPERATORS = re.compile(r'[+\-&|!(){}\[\]^"~*?:\\/]')


class GraphragPeer:
    """neo4j-graphrag; a corpus has a label and indexes of its own, since hybrids take no filter.

    Args:
        settings: Address and password of the server.
        vectors: Of every text and question.
        prefix: First part of its labels.
    """

    name = "neo4j-graphrag"

    def __init__(self, settings: Settings, vectors: SharedVectors, prefix: str) -> None:
        from neo4j import GraphDatabase

        self.version = version("neo4j-graphrag")
        self._vectors = vectors
        self._prefix = prefix
        self._labels: list[str] = []
        secret = settings.neo4j_password
        auth = (settings.neo4j_username, secret.get_secret_value()) if secret else None
        self._driver = GraphDatabase.driver(str(settings.neo4j_uri), auth=auth)

    def load(self, corpus: Corpus) -> None:
        """Make the chunks, their vectors and both indexes."""
        from neo4j_graphrag.indexes import (
            create_fulltext_index,
            create_vector_index,
            upsert_vectors,
        )

        label = self._label(corpus)
        self._labels.append(label)
        create_vector_index(
            self._driver,
            f"{label}_vector",
            label=label,
            embedding_property="embedding",
            dimensions=int(self._vectors.dimensions or 0),
            similarity_fn="cosine",
        )
        create_fulltext_index(self._driver, f"{label}_text", label=label, node_properties=["text"])
        for start in range(0, len(corpus.items), _BATCH):
            items = corpus.items[start : start + _BATCH]
            rows = self._driver.execute_query(
                read_statement("save_chunks"),
                label=label,
                rows=[{"id": item.id, "text": item.text} for item in items],
            ).records
            upsert_vectors(
                self._driver,
                ids=[row["element_id"] for row in rows],
                embedding_property="embedding",
                embeddings=[self._vectors.floats(item.text) for item in items],
            )
        self._driver.execute_query(read_statement("await_indexes"))

    def searches(self, corpus: Corpus) -> Mapping[str, Search]:
        """Return the vector and the hybrid retriever."""
        from neo4j_graphrag.retrievers import HybridRetriever, VectorRetriever
        from neo4j_graphrag.types import RetrieverResultItem

        label = self._label(corpus)

        def told(record: Any) -> Any:
            return RetrieverResultItem(content=record["node"]["id"])

        shared = {"return_properties": ["id"], "result_formatter": told}
        nearest = VectorRetriever(self._driver, f"{label}_vector", **shared)
        hybrid = HybridRetriever(self._driver, f"{label}_vector", f"{label}_text", **shared)

        def by_vector(question: str, limit: int) -> Sequence[str]:
            found = nearest.search(query_vector=self._vectors.floats(question), top_k=limit)
            return [str(item.content) for item in found.items]

        def by_both(question: str, limit: int) -> Sequence[str]:
            found = hybrid.search(
                query_text=_OPERATORS.sub(" ", question),
                query_vector=self._vectors.floats(question),
                top_k=limit,
            )
            return [str(item.content) for item in found.items][:limit]

        return {"VectorRetriever": by_vector, "HybridRetriever": by_both}

    def close(self) -> None:
        """Remove chunks and indexes, and disconnect."""
        from neo4j_graphrag.indexes import drop_index_if_exists

        for label in self._labels:
            for kind in ("vector", "text"):
                drop_index_if_exists(self._driver, f"{label}_{kind}")
            with self._driver.session() as session:
                session.run(read_statement("drop_chunks"), label=label).consume()
        self._driver.close()

    def _label(self, corpus: Corpus) -> str:
        return "Chunk_" + re.sub(r"\W", "_", f"{self._prefix}_{corpus.name}")
