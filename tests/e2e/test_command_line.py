"""Stories of the command line on a machine that has only Python."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import neo4j
import pytest

from graphmem.testing import ScriptedModel, ScriptedReply
from tests.e2e.conftest import Newcomer
from tests.e2e.test_readme import blocks

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def shown(newcomer: Newcomer) -> Any:
    """The first demo on this machine: it starts the server."""
    return newcomer.json("demo")


def test_the_demo_shows_the_evidence_of_each_question(shown: Any) -> None:
    """Each of the four answers holds every turn that it needs, and the kiln is the new one."""
    assert 26 == shown["turns"] == shown["created"]
    for question in shown["questions"]:
        found = [hit["turn"]["id"] for hit in question["recall"]["turns"]]
        assert set(question["evidence"]) <= set(found), question["recall"]["query"]
        assert all(hit["parts"] for hit in question["recall"]["turns"])
    facts = [fact["fact"]["text"] for fact in shown["questions"][0]["recall"]["facts"]]
    assert any("electric kiln" in fact for fact in facts)
    assert not any("plans to fire with a gas kiln" in fact for fact in facts)
    assert {"Fact", "Message", "Session", "Tag", "Term", "Turn"} <= set(shown["stats"]["nodes"])


def test_the_demo_again_adds_nothing_and_is_quick(newcomer: Newcomer, shown: Any) -> None:
    """A warm run finds its turns there, and ends within half a minute."""
    again = newcomer.json("demo")

    assert 0 == again["created"]
    assert shown["stats"] == again["stats"]
    assert 30 > again["seconds"]


def test_the_demo_tells_a_person_where_to_look(newcomer: Newcomer, shown: Any) -> None:
    """Scores with their parts, the address of Browser, and the query to paste."""
    told = newcomer.run("demo").stdout

    for expected in ("score", "made of", "/browser/", shown["query"], "password in"):
        assert expected in told


def test_the_query_of_the_demo_draws_its_graph(newcomer: Newcomer, shown: Any) -> None:
    """What is to be pasted is one statement, and gives paths from turns to facts and terms."""
    status = newcomer.json("server", "status")
    password = Path(status["password_file"]).read_text(encoding="utf-8").strip()

    with neo4j.GraphDatabase.driver(status["uri"], auth=("neo4j", password)) as driver:
        rows = driver.execute_query(shown["query"].removesuffix(";")).records

    labels = {label for row in rows for node in row["path"].nodes for label in node.labels}
    assert {"Fact", "Tag", "Term", "Turn"} == labels
    assert 100 < len(rows)


def test_options_that_a_running_server_cannot_take_are_not_lost_silently(
    newcomer: Newcomer, shown: Any
) -> None:
    """A start that finds it running says that memory and ports stay as they are."""
    before = newcomer.json("server", "status")

    told = newcomer.run("server", "start", "--heap", "300m")

    assert "it runs already" in told.stderr
    assert before["pid"] == newcomer.json("server", "status")["pid"]


def test_the_python_of_the_readme_runs(newcomer: Newcomer) -> None:
    """All blocks together are one program: it recalls what it was told, without a warning."""
    program = "\n".join(blocks("python"))

    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={**newcomer.environment, "GRAPHMEM_SCOPE": "readme"},
    )

    assert 0 == done.returncode, done.stderr
    assert "At a bakery in Lyon, since May." in done.stdout
    assert "the small room, Friday at ten" in done.stdout
    assert "\n['Ana lives in Lyon.']\n['Ana lives in Paris.']\n()\n" in done.stdout
    assert "PageRank by cypher" in done.stdout


def test_a_turn_is_added_and_recalled(newcomer: Newcomer) -> None:
    """add, the same again, recall as JSON, as a table and as a prompt."""
    words = (
        "add",
        "Where is the spare key?",
        "Under the [bold]blue[/bold] pot [/].",
        "--scope",
        "key",
        "--key",
        "1",
    )

    first = newcomer.json(*words)
    again = newcomer.json(*words)
    found = newcomer.json("recall", "spare key", "--scope", "key")
    table = newcomer.run("recall", "spare key", "--scope", "key").stdout
    prompt = newcomer.run("recall", "spare key", "--scope", "key", "--prompt", "300").stdout
    tiny = newcomer.run("recall", "spare key", "--scope", "key", "--prompt", "1")
    other = newcomer.run("add", "Other words.", "--scope", "key", "--key", "1").stdout

    assert first["created"]
    assert not again["created"]
    assert "local" == first["extraction"]
    assert [first["turn_id"]] == [hit["turn"]["id"] for hit in found["turns"]]
    assert [] == found["degraded"]
    # Square brackets are text, whatever a table takes for markup.
    assert "Under the [bold]blue[/bold] pot [/]." in table
    assert "blue[/bold] pot" in prompt
    assert ("", "nothing fits in 1 tokens") == (tiny.stdout, tiny.stderr.strip())
    assert f"already there with another text, which stays: turn {first['turn_id']}" in other


def test_an_answer_is_explained_drawn_and_kept(newcomer: Newcomer, tmp_path: Path) -> None:
    """Why each turn came, for people and programs; the kept one is opened and deleted."""
    scope = ("--scope", "why")
    chat = tmp_path / "chat.jsonl"
    lines = [{"question": "Where does Ana work?", "answer": "At a bakery in Lyon."}]
    lines += [{"question": "Who owns the bakery?", "answer": "Old Mr. Dupont."}]
    chat.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    newcomer.run("import", str(chat), *scope)

    told = newcomer.run("recall", "Ana's bakery", "--explain", "--keep-trace", *scope)
    found = newcomer.json("recall", "Ana's bakery", "--explain", *scope)
    drawn = newcomer.run("recall", "Ana's bakery", "--cypher", *scope).stdout
    (kept,) = newcomer.json("trace", "list", *scope)
    opened = newcomer.run("trace", "show", kept["id"], *scope).stdout
    redrawn = newcomer.run("trace", "show", kept["id"], "--cypher", *scope).stdout
    first = found["turns"][0]["turn"]["id"]
    others = newcomer.json("recall", "bakery", "--visible", first, *scope)["turns"]
    shown = newcomer.json("show", first, *scope)
    absent = newcomer.run("show", "nobody", *scope, code=1).stderr
    dropped = newcomer.json("trace", "drop", *scope)

    assert "its own words: Ana's, bakery" in told.stdout
    assert f"graphmem trace show {kept['id']}" in told.stderr
    assert ["Ana's", "bakery"] == found["explanation"]["turns"][0]["words"]
    assert drawn.startswith("CYPHER 25")
    assert first in drawn
    assert told.stdout == opened
    assert first in redrawn
    assert others
    assert first not in [hit["turn"]["id"] for hit in others]
    assert "At a bakery in Lyon." == shown["turn"]["messages"][1]["content"]
    assert "turn-not-found" in absent
    assert {"dropped": 1} == dropped


def test_facts_are_stated_corrected_and_forgotten(newcomer: Newcomer) -> None:
    """The life of a fact, for people and programs; what is not there is said to be not there."""
    scope = ("--scope", "facts")
    empty = newcomer.run("facts", "list", *scope).stdout
    old = newcomer.json("facts", "remember", "I live in Berlin", "--tag", "home", *scope)
    told = newcomer.run("facts", "remember", "I just moved to Tbilisi", *scope).stdout
    (new,) = newcomer.json("facts", "list", *scope)
    found = newcomer.json("facts", "search", "where do I live", *scope)
    history = newcomer.run("facts", "history", old["fact"]["id"], *scope).stdout
    forgotten = newcomer.json("facts", "forget", new["id"], "--reason", "a [red]test[/red]", *scope)
    restored = newcomer.run("facts", "restore", new["id"], *scope).stdout
    later = newcomer.json(
        "facts", "supersede", new["id"], "I live in Oslo", "--reason", "moved on", *scope
    )
    listed = newcomer.run("facts", "list", "--status", "superseded", *scope).stdout
    absent = newcomer.run("facts", "show", "nope", *scope, code=1).stderr

    assert "no such fact is known" == empty.strip()
    assert told.startswith("supersede: I just moved to Tbilisi")
    assert [new["id"]] == [hit["fact"]["id"] for hit in found]
    assert "I live in Berlin" in history
    assert "superseded" in history
    assert ("forgotten", "a [red]test[/red]") == (forgotten["status"], forgotten["retired_reason"])
    assert restored.splitlines()[0] == f"fact {new['id']}"
    assert "explicit" == later["decision"]["stage"]
    assert "I just moved to Tbilisi" in listed
    assert absent.startswith("error: fact-not-found: ")


def test_names_are_joined_and_parted(newcomer: Newcomer) -> None:
    """Merged, unmerged, split; what cannot be is told with what to do instead."""
    scope = ("--scope", "names")
    empty = newcomer.run("terms", "list", *scope).stdout
    for triple in (("Ana [b]", "owns", "a kiln"), ("Annie", "owns", "a van")):
        subject, predicate, obj = triple
        newcomer.run(
            *("facts", "remember", " ".join(triple), "--subject", subject),
            *("--predicate", predicate, "--object", obj, *scope),
        )
    turn = newcomer.json("add", "We met Annie at the fair.", *scope, "--wait")["turn_id"]
    merged = newcomer.run("terms", "merge", "Ana [b]", "Annie", "--reason", "one", *scope).stdout
    (both,) = newcomer.json("terms", "list", "annie", *scope)
    listed = newcomer.run("terms", "list", *scope).stdout
    again = newcomer.run("terms", "merge", "Ana [b]", "Annie", *scope, code=1).stderr
    apart = newcomer.json("terms", "unmerge", "Annie", *scope)
    told = newcomer.run(
        "terms", "split", "Annie", "--qualifier", "baker", "--turn", turn, *scope
    ).stdout

    assert "no such name is known" == empty.strip()
    assert merged.startswith("Annie means Ana [b] from now on")
    assert ("Ana [b]", ["Annie"], 2) == (both["name"], both["aliases"], both["facts"])
    assert "Ana [b]" in listed
    assert again.startswith("error: term-merged: 'Annie' is an alias of 'Ana [b]' already")
    assert ("Annie", 1) == (apart["name"], apart["facts"])
    assert "Annie (baker): 1 turns, 0 facts" == told.splitlines()[0]


def test_a_model_of_the_environment_judges_what_waits(newcomer: Newcomer) -> None:
    """The queue is shown, and worked off by one call."""
    scope = ("--scope", "judge")
    newcomer.run("facts", "remember", "The rota of the guild has its tea on Mondays", *scope)
    newcomer.run("facts", "remember", "The rota of the guild has cake by the river", *scope)
    (waiting,) = newcomer.json("facts", "conflicts", "--state", "open", *scope)
    reply = {"reason": "they go together", "verdict": "keep_both", "target": 0}
    with ScriptedModel(lambda _: reply) as server:
        judged = newcomer.json(
            "facts",
            "judge",
            *scope,
            GRAPHMEM_LLM_MODEL="scripted",
            GRAPHMEM_LLM_BASE_URL=server.base_url,
        )

    assert "The rota of the guild has cake by the river" == waiting["text"]
    assert (1, 0) == (judged["judged"], judged["waiting"])


def test_an_import_again_changes_nothing(newcomer: Newcomer, tmp_path: Path) -> None:
    """The second run finds every turn there, a grown file only adds what is new."""
    file = tmp_path / "chat.jsonl"
    lines = [json.dumps({"question": f"Fact number {n}", "session_id": "s"}) for n in range(5)]
    file.write_text("\n".join(lines), encoding="utf-8")

    first = newcomer.json("import", str(file), "--scope", "again")
    second = newcomer.json("import", str(file), "--scope", "again")
    file.write_text("\n".join([*lines, json.dumps({"question": "One more"})]), encoding="utf-8")
    third = newcomer.json("import", str(file), "--scope", "again")
    stats = newcomer.json("stats", "--scope", "again")

    assert (5, 0) == (first["created"], first["already_there"])
    assert (0, 5) == (second["created"], second["already_there"])
    assert (1, 5) == (third["created"], third["already_there"])
    assert 6 == stats["nodes"]["Turn"]
    assert {"local": 6} == {state: count for state, count in stats["extraction"].items() if count}


def test_a_bad_line_stops_an_import_before_it_begins(newcomer: Newcomer, tmp_path: Path) -> None:
    """The line is named, nothing is stored, and --skip-bad passes over it and counts it."""
    file = tmp_path / "chat.jsonl"
    file.write_text('{"question": "good"}\n{"question": "bad\\u0000"}\n{"oops": 1}\n', "utf-8")

    refused = newcomer.run("import", str(file), "--scope", "bad", code=1)
    empty = newcomer.json("stats", "--scope", "bad")
    passed = newcomer.json("import", str(file), "--scope", "bad", "--skip-bad")

    assert "error: input: line 2" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert 0 == empty["nodes"].get("Turn", 0)
    assert 1 == passed["created"]
    assert ["line 2", "line 3"] == [piece["place"] for piece in passed["passed_over"]]


def test_chats_in_other_formats_are_imported(newcomer: Newcomer, tmp_path: Path) -> None:
    """OpenAI's messages and LoCoMo's own JSON become turns with their times and names."""
    chat = tmp_path / "chat.json"
    chat.write_text(
        json.dumps(
            [
                {"role": "user", "content": "Which glaze?"},
                {"role": "tool", "content": "shelf lookup"},
                {"role": "assistant", "content": "Copper red."},
            ]
        )
    )
    talk = tmp_path / "talk.json"
    talk.write_text(
        json.dumps(
            {
                "sample_id": "c",
                "conversation": {
                    "session_1_date_time": "1:56 pm on 8 May, 2023",
                    "session_1": [{"speaker": "Ana", "dia_id": "D1:1", "text": "I sold the boat."}],
                },
            }
        )
    )

    newcomer.run("import", str(chat), "--format", "openai", "--scope", "formats")
    newcomer.run("import", str(talk), "--format", "locomo", "--scope", "formats")
    glaze = newcomer.json("recall", "Which glaze was it?", "--scope", "formats")["turns"][0]
    boat = newcomer.json("recall", "Who sold the boat?", "--scope", "formats")["turns"][0]

    assert "shelf lookup" not in glaze["turn"]["text"]
    assert 3 == len(glaze["turn"]["messages"])
    assert "2023-05-08T13:56:00Z" == boat["turn"]["at"]
    assert "Ana: I sold the boat." == boat["turn"]["text"]


def test_the_doctor_is_content(newcomer: Newcomer) -> None:
    """Versions, indexes and embedder are told; a healthy memory has no faults."""
    newcomer.run("add", "The kiln is hot.", "--scope", "well")

    report = newcomer.json("doctor", "--scope", "well")

    assert [] == report["faults"]
    assert {"ONLINE"} == set(report["indexes"].values())
    assert "ready" == report["embedder_state"]
    assert report["versions"]["neo4j"]
    assert report["versions"]["gds"]


def test_extraction_commands_work_on_what_is_there(newcomer: Newcomer) -> None:
    """Nothing is quarantined without a model, nothing waits, and no vector is missing."""
    newcomer.run("add", "The kiln is hot.", "--scope", "rest")

    assert [] == newcomer.json("quarantine", "list", "--scope", "rest")
    assert [] == newcomer.json("quarantine", "retry", "--scope", "rest")
    assert {"dropped": 0} == newcomer.json("quarantine", "drop", "--scope", "rest")
    assert 1 == newcomer.json("extract", "--scope", "rest")["extraction"]["local"]
    assert {"embedded": 0} == newcomer.json("embedder", "backfill", "--scope", "rest")


def test_recalled_turns_are_rated_and_the_embedder_is_measured(
    newcomer: Newcomer, shown: Any
) -> None:
    """By the id that recall prints; a turn that is not there is told, and nothing is rated."""
    demo = ("--scope", "demo")
    turn = newcomer.json("recall", "Where does Ana work?", *demo)["turns"][0]["turn"]["id"]

    rated = newcomer.json("feedback", turn, "--reward", "1", *demo)
    refused = newcomer.run("feedback", "nobody", "--reward", "1", *demo, code=1)
    measured = newcomer.json("embedder", "calibrate", *demo)

    assert {"rated": 1} == rated
    assert "no-such-node" in refused.stderr
    assert measured["same_median"] > measured["threshold"] > measured["different_median"]
    assert measured == newcomer.json("doctor")["calibration"]


def test_redoing_without_a_model_says_what_to_set(newcomer: Newcomer) -> None:
    """One line: kind, message, next step; no traceback."""
    done = newcomer.run("extract", "--redo", "local", code=1)

    assert done.stderr.strip().splitlines()[-1].startswith("error: config: ")
    assert "GRAPHMEM_LLM_MODEL" in done.stderr


def test_an_error_is_one_clear_line(newcomer: Newcomer) -> None:
    """Kind and message on stderr, exit code 1, no traceback."""
    done = newcomer.run("recall", "  ", code=1)

    # A line above it tells when the server had to be started.
    assert done.stderr.splitlines()[-1].startswith("error: input: ")
    assert "Traceback" not in done.stderr
    assert "" == done.stdout


def test_a_model_of_the_environment_extracts_what_failed_before(newcomer: Newcomer) -> None:
    """Refused, retried; then away, told by the doctor, and asked again when it is back."""
    good = ScriptedReply.json({"summary": "Iris bought a loom in Ghent.", "triples": []})
    away = ScriptedReply.failure(401, "no such key")
    scope = ("--scope", "model")
    with ScriptedModel(chat=[ScriptedReply(content="no idea"), good, away, good]) as model:
        env = {"GRAPHMEM_LLM_MODEL": "scripted", "GRAPHMEM_LLM_BASE_URL": model.base_url}

        refused = newcomer.json("add", "Any news of Iris?", "A loom.", *scope, **env)
        listed = newcomer.run("quarantine", "list", *scope).stdout
        retried = newcomer.run("quarantine", "retry", refused["turn_id"], "other", *scope, **env)
        newcomer.run("add", "Where?", "In Ghent.", *scope, **env)
        report = newcomer.json("doctor", *scope, code=1, **env)
        caught_up = newcomer.json("extract", *scope, **env)

    assert "quarantined" == refused["extraction"]
    assert "no-json" in listed
    assert f"{refused['turn_id']}: done" in retried.stdout
    assert "1 of the named are not quarantined" in retried.stderr
    assert ["no such key" in fault["what"] for fault in report["faults"]] == [True]
    assert ["done"] == [receipt["extraction"] for receipt in caught_up["tried"]]
    assert {"done": 2} == caught_up["extraction"]


def test_secrets_are_not_shown(newcomer: Newcomer) -> None:
    """`settings` shows that a key is set and not which."""
    shown = newcomer.run(
        "settings", "--json", GRAPHMEM_LLM_API_KEYS="k-1,k-2", NEO4J_PASSWORD="pw-3"
    )

    assert "k-1" not in shown.stdout
    assert "pw-3" not in shown.stdout
    assert "**********" in shown.stdout


def test_the_benchmark_runs_on_any_folder_of_its_format(newcomer: Newcomer, tmp_path: Path) -> None:
    """A small chat of two sessions, loaded, asked and judged beside BM25, by its facts too."""
    told = ["I sold the boat to Ben.", "The kiln reaches 1240 degrees.", "Leila bakes buns."]
    turns = [
        {
            "conv": "c1",
            "id": f"D{n}:1",
            "session": n,
            "pos": 0,
            "time": f"2023-05-0{n}T10:00",
            "speaker": "Ana",
            "text": text,
        }
        for n, text in enumerate(told, start=1)
    ]
    question = {
        "conv": "c1",
        "id": "q",
        "question": "How hot is the kiln?",
        "category_name": "single-hop",
        "evidence": ["D2:1"],
    }
    fact = {"conv": "c1", "speaker": "Ana", "text": "The kiln is very hot.", "evidence": ["D2:1"]}
    for name, rows in {"turns": turns, "questions": [question], "observations": [fact]}.items():
        text = "\n".join(json.dumps(row) for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")

    for extraction in ("local", "observations"):
        out = tmp_path / f"{extraction}.json"
        options = ["--data", str(tmp_path), "--extraction", extraction, "--out", str(out)]
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.run", "locomo", *options],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
            env=newcomer.environment,
        )
        assert 0 == done.returncode, done.stderr
        result = json.loads(out.read_text(encoding="utf-8"))
        assert 64 == len(result["data_sha256"])
        assert 1.0 == result["tables"]["graphmem"]["all"]["frac@5"]
        assert 1.0 == result["tables"]["bm25"]["single-hop"]["all@10"]
        assert {"p50", "p95", "n"} == set(result["tables"]["milliseconds"]["recall"])
        assert 0 < result["tables"]["turns a second"]["into the graph"]["rate"]
