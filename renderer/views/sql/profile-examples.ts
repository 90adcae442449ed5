// Statements to begin with of profiles of other tools; see examples.ts.
const of = ['stack_profile'] as const

/** What each stack is worth in the type that is shown first. */
const shown = `WITH shown AS (
  SELECT stack_id, value FROM profile_value JOIN profile_value_type USING (value_type) WHERE is_default
)`

export const profileExamples = {
  valueTypes: {
    of,
    sql: `-- What the profile counts, and the sum of each
SELECT t.value_type, t.name, t.unit, t.is_default, count(v.stack_id) AS stacks, sum(v.value) AS total
FROM profile_value_type AS t LEFT JOIN profile_value AS v USING (value_type)
GROUP BY t.value_type`,
  },
  valueStacks: {
    of,
    sql: `-- The stacks with the largest values
${shown}
SELECT shown.value, stack.depth, shown.stack_id, stack.text AS stack
FROM shown JOIN stack USING (stack_id)
ORDER BY shown.value DESC
LIMIT 50`,
  },
  selfValues: {
    of,
    sql: `-- Functions by the value that ends at them
${shown}
SELECT frame.name, frame.filename, sum(shown.value) AS self_value, count(*) AS stacks
FROM shown JOIN stack_frame AS s ON s.stack_id = shown.stack_id AND s.position = 0 JOIN frame USING (frame_id)
GROUP BY frame.name, frame.filename
ORDER BY self_value DESC
LIMIT 100`,
  },
  totalValues: {
    of,
    sql: `-- Functions by the value of all stacks that they are in, each stack once
${shown}
SELECT name, filename, sum(value) AS total_value, count(*) AS stacks
FROM (
  SELECT DISTINCT shown.stack_id, shown.value, frame.name, frame.filename
  FROM shown JOIN stack_frame USING (stack_id) JOIN frame USING (frame_id)
)
GROUP BY name, filename
ORDER BY total_value DESC
LIMIT 100`,
  },
  fileValues: {
    of,
    sql: `-- Files by the value that ends in them
${shown}
SELECT coalesce(nullif(frame.filename, ''), '(none)') AS file, sum(shown.value) AS self_value, count(DISTINCT frame.name) AS functions
FROM shown JOIN stack_frame AS s ON s.stack_id = shown.stack_id AND s.position = 0 JOIN frame USING (frame_id)
GROUP BY file
ORDER BY self_value DESC
LIMIT 100`,
  },
  entryPoints: {
    of,
    sql: `-- Where the stacks begin: the outermost functions
${shown}
SELECT frame.name, frame.filename, sum(shown.value) AS total_value, count(*) AS stacks
FROM shown JOIN stack USING (stack_id)
  JOIN stack_frame AS s ON s.stack_id = shown.stack_id AND s.position = stack.depth - 1 JOIN frame USING (frame_id)
GROUP BY frame.name, frame.filename
ORDER BY total_value DESC
LIMIT 50`,
  },
  callers: {
    of,
    sql: `-- Which function calls which where the value ends
${shown}
SELECT caller.name AS caller, callee.name AS callee, sum(shown.value) AS value, count(*) AS stacks
FROM shown
  JOIN stack_frame AS inner_frame ON inner_frame.stack_id = shown.stack_id AND inner_frame.position = 0
  JOIN stack_frame AS outer_frame ON outer_frame.stack_id = shown.stack_id AND outer_frame.position = 1
  JOIN frame AS callee ON callee.frame_id = inner_frame.frame_id
  JOIN frame AS caller ON caller.frame_id = outer_frame.frame_id
GROUP BY caller.name, callee.name
ORDER BY value DESC
LIMIT 100`,
  },
  depths: {
    of,
    sql: `-- How deep the stacks are
${shown}
SELECT stack.depth, count(*) AS stacks, sum(shown.value) AS value
FROM shown JOIN stack USING (stack_id)
GROUP BY stack.depth
ORDER BY stack.depth`,
  },
  hotLines: {
    of,
    sql: `-- Lines by the value that ends at them
${shown}
SELECT frame.filename, frame.line, frame.name, sum(shown.value) AS self_value
FROM shown JOIN stack_frame AS s ON s.stack_id = shown.stack_id AND s.position = 0 JOIN frame USING (frame_id)
GROUP BY frame.filename, frame.line, frame.name
ORDER BY self_value DESC
LIMIT 100`,
  },
  sharesOfAll: {
    of,
    sql: `-- How few stacks make up the most: each with its share, and that of all down to it
${shown}
SELECT row_number() OVER largest AS rank, value, round(100.0 * value / sum(value) OVER (), 2) AS percent,
  round(100.0 * sum(value) OVER largest / sum(value) OVER (), 2) AS percent_so_far, stack_id
FROM shown
WHERE value > 0
WINDOW largest AS (ORDER BY value DESC, stack_id ROWS UNBOUNDED PRECEDING)
ORDER BY rank
LIMIT 100`,
  },
} as const
