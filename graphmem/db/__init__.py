"""The database: the only user of the neo4j driver.

database.py       Database: run(query, …) → rows
driver.py         how the driver is made, and which server answers
driver_errors.py  the driver's errors in graphmem's words
values.py         Python's values to the driver's and back
"""

from __future__ import annotations

from graphmem.db.database import Database
from graphmem.db.driver import ServerVersion

__all__ = ["Database", "ServerVersion"]
