"""graphiti-core: episodes, entities and facts saved by its own bulk call, and its own searches."""

from __future__ import annotations

import asyncio
import logging
import os
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from benchmarks.peers.corpus import Corpus, Search, SharedVectors
from graphmem.scoring import best_first, rrf

if TYPE_CHECKING:
    from graphmem.config import Settings

__all__ = ["GraphitiPeer"]

# Rows in one call of its bulk writer.
_BATCH = 200
# Each kind of result, before they are fused: an edge leads to one episode or a few.
_DEEPER = 2


class GraphitiPeer:
    """Graphiti with vectors from a cache and no language model: nothing calls one.

    Args:
        settings: Address and password of the server.
        vectors: Of every text and question.
        prefix: First part of its group ids.
    """

    name = "graphiti"

    def __init__(self, settings: Settings, vectors: SharedVectors, prefix: str) -> None:
        # Before its import: it reports home otherwise.
        os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"
        os.environ["EMBEDDING_DIM"] = str(vectors.dimensions)
        from graphiti_core import Graphiti

        # Its constructor makes the indexes too: of what is there twice it complains at length.
        logging.getLogger("graphiti_core").setLevel(logging.CRITICAL)
        self.version = version("graphiti-core")
        self._vectors = vectors
        self._prefix = prefix
        self._groups: list[str] = []
        # One loop for all calls: its driver keeps its connections there.
        self._runner = asyncio.Runner()
        secret = settings.neo4j_password
        self._graphiti = self._run(
            _opened(
                lambda: Graphiti(
                    settings.neo4j_uri,
                    settings.neo4j_username,
                    secret.get_secret_value() if secret else None,
                    **_clients(vectors),
                )
            )
        )
        self._run(self._graphiti.build_indices_and_constraints())
        # The episode that each stored id stands for.
        self._items: dict[str, str] = {}

    def load(self, corpus: Corpus) -> None:
        """Save episodes, entities, MENTIONS and facts, with their vectors, in bulk."""
        from graphiti_core.edges import EntityEdge, EpisodicEdge
        from graphiti_core.nodes import EntityNode, EpisodeType, EpisodicNode
        from graphiti_core.utils.bulk_utils import add_nodes_and_edges_bulk

        group = self._group(corpus)
        self._groups.append(group)
        names = dict.fromkeys(name for item in corpus.items for name in item.names)
        entities = {
            name: EntityNode(
                name=name, group_id=group, name_embedding=self._vectors.floats(name), summary=""
            )
            for name in names
        }
        episodes, mentions, edges = [], [], []
        for item in corpus.items:
            stated = [
                EntityEdge(
                    uuid=str(uuid.uuid4()),
                    group_id=group,
                    source_node_uuid=entities[fact.subject].uuid,
                    target_node_uuid=entities[fact.object].uuid,
                    created_at=item.at,
                    valid_at=item.at,
                    name=fact.predicate,
                    fact=fact.text,
                    fact_embedding=self._vectors.floats(fact.text),
                )
                for fact in item.facts
            ]
            episode = EpisodicNode(
                name=item.id,
                group_id=group,
                created_at=item.at,
                valid_at=item.at,
                source=EpisodeType.message,
                source_description="conversation",
                content=item.text,
                entity_edges=[edge.uuid for edge in stated],
            )
            for edge in stated:
                edge.episodes = [episode.uuid]
            self._items[episode.uuid] = item.id
            episodes.append(episode)
            edges += stated
            mentions += [
                EpisodicEdge(
                    group_id=group,
                    source_node_uuid=episode.uuid,
                    target_node_uuid=entities[name].uuid,
                    created_at=item.at,
                )
                for name in item.names
            ]

        async def save() -> None:
            # Nodes first: a link whose ends are in no batch yet is passed over in silence.
            for kind, rows in (
                (2, list(entities.values())),
                (0, episodes),
                (1, mentions),
                (3, edges),
            ):
                for start in range(0, len(rows), _BATCH):
                    parts: list[list[Any]] = [[], [], [], []]
                    parts[kind] = rows[start : start + _BATCH]
                    await add_nodes_and_edges_bulk(
                        self._graphiti.driver, *parts, embedder=self._graphiti.embedder
                    )

        self._run(save())

    def searches(self, corpus: Corpus) -> Mapping[str, Search]:
        """Return `search()` and the combined recipes, facts and episodes fused by the caller."""
        from graphiti_core.search import search_config_recipes as recipes

        group = self._group(corpus)

        def plain(question: str, limit: int) -> Sequence[str]:
            edges = self._run(self._graphiti.search(question, group_ids=[group], num_results=limit))
            return self._turns(edges)[:limit]

        def combined(recipe: Any) -> Search:
            def ask(question: str, limit: int) -> Sequence[str]:
                config = recipe.model_copy(update={"limit": _DEEPER * limit}, deep=True)
                found = self._run(
                    self._graphiti.search_(question, config=config, group_ids=[group])
                )
                episodes = [self._items[episode.uuid] for episode in found.episodes]
                return best_first(rrf([self._turns(found.edges), episodes]))[:limit]

            return ask

        return {
            "search()": plain,
            "search_() RRF": combined(recipes.COMBINED_HYBRID_SEARCH_RRF),
            "search_() MMR": combined(recipes.COMBINED_HYBRID_SEARCH_MMR),
        }

    def close(self) -> None:
        """Remove its groups and disconnect."""
        from graphiti_core.utils.maintenance.graph_data_operations import clear_data

        if self._groups:
            self._run(clear_data(self._graphiti.driver, self._groups))
        self._run(self._graphiti.close())
        self._runner.close()

    def _group(self, corpus: Corpus) -> str:
        return f"{self._prefix}-{corpus.name}".replace("/", "-")

    def _turns(self, edges: Iterable[Any]) -> list[str]:
        found = [self._items[episode] for edge in edges for episode in edge.episodes]
        return list(dict.fromkeys(found))

    def _run(self, call: Any) -> Any:
        return self._runner.run(call)


async def _opened(make: Callable[[], Any]) -> Any:
    # Inside of the loop, where its driver wants to be made.
    return make()


def _clients(vectors: SharedVectors) -> dict[str, Any]:
    """Return the clients that Graphiti asks for: one gives vectors, two are never called."""
    from graphiti_core.cross_encoder.client import CrossEncoderClient
    from graphiti_core.embedder.client import EmbedderClient
    from graphiti_core.llm_client.client import LLMClient

    class CachedEmbedder(EmbedderClient):
        async def create(self, input_data: Any) -> list[float]:
            text = input_data if isinstance(input_data, str) else next(iter(input_data))
            return vectors.floats(str(text))

        async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
            return [vectors.floats(text) for text in input_data_list]

    class NoModel(LLMClient):
        async def _generate_response(self, *_args: Any, **_named: Any) -> dict[str, Any]:
            raise RuntimeError("a search asked a language model: it is given none here")

    class NoReranker(CrossEncoderClient):
        async def rank(self, *_args: Any) -> list[tuple[str, float]]:
            raise RuntimeError("a search asked a reranker: it is given none here")

    return {
        "embedder": CachedEmbedder(),
        "llm_client": NoModel(None),
        "cross_encoder": NoReranker(),
    }
