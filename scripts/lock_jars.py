"""Write graphmem/server/jars.lock anew: the jars of Neo4j and Graph Data Science.

Maven resolves what the roots below need at run time; this script writes down every jar with
its size and SHA-256. graphmem fetches exactly these files, so Maven is needed only here.

Usage: python scripts/lock_jars.py   (needs `mvn` and a network; or `make lock-jars`)
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NEO4J = "2026.08.1"
BROWSER = "5.24.0"
GDS = "2.26.0"
# The paths that gds.dfs, gds.bfs and gds.randomWalk answer with. No newer one was published, so
# it comes without what it depends on: the server brings that in its own version.
GRAPH_ALGO = "2026.05.0"
ALONE = {"neo4j-graph-algo"}

# opengds-extension alone lacks the procedures themselves: they are in `proc`.
ROOTS = {
    "server": (
        ("org.neo4j.app", "neo4j-server", NEO4J),
        ("org.neo4j", "neo4j", NEO4J),
        ("org.neo4j.client", "neo4j-browser", BROWSER),
    ),
    "gds": (
        ("org.neo4j.gds", "opengds-extension", GDS),
        ("org.neo4j.gds", "proc", GDS),
        ("org.neo4j", "neo4j-graph-algo", GRAPH_ALGO),
    ),
}
LOCK = Path(__file__).resolve().parent.parent / "graphmem" / "server" / "jars.lock"
HEADER = f"""\
# The jars of the managed server: Neo4j Community {NEO4J} and Graph Data Science {GDS}.
# Written by scripts/lock_jars.py from Maven's own resolution; do not edit by hand.
# kind  group  artifact  version  classifier  size  sha256
"""

_POM = """\
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>{kind}</artifactId><version>1</version>
  <dependencies>{dependencies}</dependencies>
</project>
"""
_DEPENDENCY = (
    "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version>"
    "<exclusions>{}</exclusions></dependency>"
)
_EVERYTHING = "<exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion>"

Line = tuple[str, str, str, str, str, str, str]


def main() -> int:
    """Resolve, compare names, write the lock; return the exit code."""
    mvn = shutil.which("mvn")
    if mvn is None:
        sys.stderr.write("mvn is not installed: install Maven, then run this again\n")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        server = _resolve(mvn, "server", Path(folder) / "server")
        gds = _resolve(mvn, "gds", Path(folder) / "gds")
    # The plugin folder stands before the server's own on the class path: an artifact that the
    # server brings itself stays the server's, in the server's version.
    provided = {(line[1], line[2]) for line in server}
    lines = server + [line for line in gds if (line[1], line[2]) not in provided]
    names = [f"{line[2]}-{line[3]}-{line[4]}" for line in lines]
    doubles = {name for name in names if names.count(name) > 1}
    if doubles:
        sys.stderr.write(f"two jars of one file name would overwrite each other: {doubles}\n")
        return 1
    LOCK.write_text(HEADER + "".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
    megabytes = sum(int(line[5]) for line in lines) / 1e6
    sys.stdout.write(f"{LOCK.name}: {len(lines)} jars, {megabytes:.0f} MB\n")
    return 0


def _resolve(mvn: str, kind: str, folder: Path) -> list[Line]:
    """Return the lines of one kind, sorted, as Maven resolves its roots at run time."""
    folder.mkdir()
    pom = folder / "pom.xml"
    dependencies = "".join(
        _DEPENDENCY.format(*root, _EVERYTHING if root[1] in ALONE else "") for root in ROOTS[kind]
    )
    pom.write_text(_POM.format(kind=kind, dependencies=dependencies), encoding="utf-8")
    subprocess.run(  # noqa: S603 - the arguments are this script's own
        [
            mvn, "-q", "-B", "-ntp", "-f", str(pom), "dependency:copy-dependencies",
            "-DincludeScope=runtime", "-Dmdep.useRepositoryLayout=true",
            f"-DoutputDirectory={folder / 'repo'}",
        ],
        check=True,
    )  # fmt: skip
    repo = folder / "repo"
    return sorted(_line(kind, jar, jar.relative_to(repo)) for jar in repo.rglob("*.jar"))


def _line(kind: str, jar: Path, place: Path) -> Line:
    """Read the coordinates from group/group/artifact/version/artifact-version[-classifier].jar."""
    *group, artifact, version, name = place.parts
    classifier = name.removeprefix(f"{artifact}-{version}").removesuffix(".jar").lstrip("-")
    content = jar.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    return (
        kind, ".".join(group), artifact, version, classifier or "-", str(len(content)), digest,
    )  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main())
