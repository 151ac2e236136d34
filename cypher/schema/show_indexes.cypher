// NAME     schema/show_indexes
// DOES     List the indexes of the database; that of a constraint names it.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  name, type, entity, labels, properties, state, percent, constraint, failure, config
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
SHOW INDEXES YIELD
  name, type, entityType, labelsOrTypes, properties, state, populationPercent, owningConstraint,
  failureMessage, options
WHERE type <> 'LOOKUP'
RETURN
  name,
  type,
  entityType AS entity,
  labelsOrTypes AS labels,
  properties,
  state,
  populationPercent AS percent,
  owningConstraint AS constraint,
  failureMessage AS failure,
  options.indexConfig AS config
