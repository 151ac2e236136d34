"""A real HTTP server on loopback that speaks the OpenAI protocol by a script."""

from __future__ import annotations

import base64
import json
import logging
import struct
import threading
import time
from collections.abc import Callable, Collection, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from graphmem.testing.embedder import HashedEmbedder
from graphmem.testing.script import (
    Script,
    ScriptedReply,
    ScriptedRequest,
    as_reply,
    echo_extraction,
)

__all__ = ["ScriptedModel"]

logger = logging.getLogger(__name__)

_CLIENT_ERROR = 400
_OK = 200


class ScriptedModel:
    """An OpenAI-compatible endpoint on loopback that answers as it is told.

    Use it as a context manager, or call `start` and `close`. It serves
    ``/v1/chat/completions``, ``/v1/embeddings`` and ``/v1/models``, keeps connections alive,
    and answers requests side by side. Without a script it answers every extraction with the
    turn's own words as the summary, and every embeddings request with hashed words.

    Args:
        chat: Answers of chat completions: a list played once, or a function of the request.
        embeddings: The same for embeddings.
        rules: Looked at before the script, first answer wins; see `refusing`.
        dimensions: Width of the vectors when a request does not say.
        api_keys: Keys that are let in; None = any, also none.
        model: Name of the one model that ``/v1/models`` lists.

    Attributes:
        requests: Every request, in order of arrival.
    """

    def __init__(
        self,
        chat: Script = (),
        *,
        embeddings: Script = (),
        rules: Sequence[Callable[[ScriptedRequest], ScriptedReply | None]] = (),
        dimensions: int = 64,
        api_keys: Collection[str] | None = None,
        model: str = "scripted",
    ) -> None:
        self.requests: list[ScriptedRequest] = []
        self.model = model
        self._scripts: dict[str, Script] = {"chat": chat, "embeddings": embeddings}
        self._rules = tuple(rules)
        self._dimensions = dimensions
        self._api_keys = api_keys
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._played: dict[str, int] = {}
        self._running: dict[str, int] = {}
        self._peaks: dict[str, int] = {}
        self._started_s = time.monotonic()
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> ScriptedModel:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> ScriptedModel:
        """Listen on a free port of loopback and return self."""
        self._closing.clear()
        self._started_s = time.monotonic()
        self._server = _Server(self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), name="scripted-model", daemon=True
        )
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop listening and let go of every request that still hangs."""
        self._closing.set()
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()
            self._server = self._thread = None

    @property
    def base_url(self) -> str:
        """What to give a client as its base URL."""
        if self._server is None:
            raise RuntimeError("the scripted model is not running: use it in a `with` block")
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def chat_requests(self) -> list[ScriptedRequest]:
        """The chat completions that were asked for, in order of arrival."""
        return [request for request in self.requests if request.kind == "chat"]

    @property
    def embedding_requests(self) -> list[ScriptedRequest]:
        """The embeddings that were asked for, in order of arrival."""
        return [request for request in self.requests if request.kind == "embeddings"]

    def peak(self, kind: str = "chat") -> int:
        """Return the most requests of `kind` ("chat" or "embeddings") that ran at once."""
        return self._peaks.get(kind, 0)

    def script(self, *, chat: Script | None = None, embeddings: Script | None = None) -> None:
        """Play these answers from now on; None leaves a script as it is."""
        with self._lock:
            for kind, script in (("chat", chat), ("embeddings", embeddings)):
                if script is not None:
                    self._scripts[kind] = script
                    self._played[kind] = 0

    def _enter(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> ScriptedRequest:
        with self._lock:
            ordinal = sum(1 for request in self.requests if request.path == path)
            started_s = time.monotonic() - self._started_s
            request = ScriptedRequest(path, headers, body, started_s, ordinal)
            self.requests.append(request)
            kind = request.kind
            self._running[kind] = self._running.get(kind, 0) + 1
            self._peaks[kind] = max(self._peaks.get(kind, 0), self._running[kind])
        return request

    def _leave(self, request: ScriptedRequest) -> None:
        with self._lock:
            self._running[request.kind] -= 1

    def _answer(self, request: ScriptedRequest) -> ScriptedReply:
        if self._api_keys is not None and request.api_key not in self._api_keys:
            return ScriptedReply.failure(401, "Incorrect API key provided.", code="invalid_api_key")
        for rule in self._rules:
            if (refused := rule(request)) is not None:
                return refused
        scripted = self._next_of(request)
        if scripted is not None:
            return scripted
        return echo_extraction(request) if request.kind == "chat" else ScriptedReply()

    def _next_of(self, request: ScriptedRequest) -> ScriptedReply | None:
        with self._lock:
            script = self._scripts.get(request.kind, ())
            if not callable(script):
                place = self._played.get(request.kind, 0)
                self._played[request.kind] = place + 1
                return as_reply(script[place]) if place < len(script) else None
        answer = script(request)
        return None if answer is None else as_reply(answer)

    def _body(self, request: ScriptedRequest, reply: ScriptedReply) -> tuple[int, bytes]:
        if reply.raw is not None:
            return reply.status, reply.raw
        if reply.status >= _CLIENT_ERROR:
            kind = "invalid_request_error" if reply.status == _CLIENT_ERROR else "error"
            return reply.status, _dumps(
                {
                    "error": {
                        "message": reply.error,
                        "type": kind,
                        "param": reply.param,
                        "code": reply.code,
                    }
                }
            )
        if request.kind == "chat":
            return _OK, _dumps(_chat_body(request, reply, self.model))
        if request.kind == "embeddings":
            return _OK, _dumps(self._embeddings_body(request, reply))
        if request.kind == "models":
            entry = {"id": self.model, "object": "model", "created": 0, "owned_by": "test"}
            return _OK, _dumps({"object": "list", "data": [entry]})
        return 404, _dumps({"error": {"message": f"no such path: {request.path}"}})

    def _embeddings_body(self, request: ScriptedRequest, reply: ScriptedReply) -> dict[str, Any]:
        vectors: Sequence[Sequence[float]]
        if reply.vectors is not None:
            vectors = reply.vectors
        else:
            width = int(request.body.get("dimensions") or self._dimensions)
            vectors = HashedEmbedder(width).vectors(request.inputs).tolist()
        packed: list[Any] = list(vectors)
        if request.body.get("encoding_format") == "base64":
            packed = [
                base64.b64encode(struct.pack(f"<{len(row)}f", *row)).decode() for row in vectors
            ]
        return {
            "object": "list",
            "model": request.body.get("model", self.model),
            "data": [
                {"object": "embedding", "index": place, "embedding": row}
                for place, row in enumerate(packed)
            ],
            "usage": {"prompt_tokens": reply.prompt_tokens, "total_tokens": reply.prompt_tokens},
        }


def _chat_body(request: ScriptedRequest, reply: ScriptedReply, model: str) -> dict[str, Any]:
    tools = request.body.get("tools") or []
    is_tool = bool(tools) if reply.as_tool is None else reply.as_tool
    message: dict[str, Any] = {"role": "assistant", "content": reply.content}
    finish_reason = reply.finish_reason
    if reply.refusal is not None:
        message["refusal"] = reply.refusal
    elif is_tool:
        name = tools[0]["function"]["name"] if tools else "submit"
        call = {"name": name, "arguments": reply.content or ""}
        message["content"] = None
        message["tool_calls"] = [{"id": "call-1", "type": "function", "function": call}]
        finish_reason = "tool_calls" if finish_reason == "stop" else finish_reason
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return {
        "id": f"chatcmpl-{request.ordinal}",
        "object": "chat.completion",
        "created": 0,
        "model": request.body.get("model", model),
        "choices": [] if reply.is_empty else [choice],
        "usage": {
            "prompt_tokens": reply.prompt_tokens,
            "completion_tokens": reply.completion_tokens,
            "total_tokens": reply.prompt_tokens + reply.completion_tokens,
        },
    }


def _dumps(value: object) -> bytes:
    return json.dumps(value).encode()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Handler threads sit in keep-alive reads; waiting for them would wait for the clients.
    block_on_close = False
    request_queue_size = 128

    def __init__(self, owner: ScriptedModel) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        del request, client_address
        logger.debug("testing.connection_lost")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body leave in two writes: without this the second waits for an ACK (40 ms).
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        """Answer a GET."""
        self._serve({})

    def do_POST(self) -> None:
        """Answer a POST."""
        length = int(self.headers.get("Content-Length") or 0)
        self._serve(json.loads(self.rfile.read(length) or b"{}"))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Keep stderr quiet."""
        del format, args

    def _serve(self, body: dict[str, Any]) -> None:
        assert isinstance(self.server, _Server)  # noqa: S101 - for the type checker
        owner = self.server.owner
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = owner._enter(self.path, headers, body)  # noqa: SLF001 - one module
        try:
            self._play(owner, request)
        except OSError:
            # The client went away, as clients with a deadline do.
            self.close_connection = True
        finally:
            owner._leave(request)  # noqa: SLF001 - one module

    def _play(self, owner: ScriptedModel, request: ScriptedRequest) -> None:
        reply = owner._answer(request)  # noqa: SLF001 - one module
        closing = owner._closing  # noqa: SLF001 - one module
        if reply.delay_s > 0:
            closing.wait(reply.delay_s)
        if reply.is_hanging:
            closing.wait()
        if reply.is_cut or closing.is_set():
            self.close_connection = True
            return
        status, payload = owner._body(request, reply)  # noqa: SLF001 - one module
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if reply.drip_s <= 0:
            self.wfile.write(payload)
            return
        for place in range(len(payload)):
            self.wfile.write(payload[place : place + 1])
            if closing.wait(reply.drip_s):
                self.close_connection = True
                return
