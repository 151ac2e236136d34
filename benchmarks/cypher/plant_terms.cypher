// Terms as an extraction leaves them, without vectors.
CYPHER 25
UNWIND $rows AS key
CREATE (:Term {
  scope: $scope, id: key, key: key, name: key, search_text: key, qualifier: '', status: 'active',
  needs_vector: false, needs_links: false, needs_community: true
})
