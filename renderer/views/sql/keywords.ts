// Words of SQLite that questions use.
export const keywords: readonly string[] =
  'SELECT FROM WHERE GROUP BY ORDER HAVING LIMIT OFFSET JOIN LEFT INNER CROSS ON USING AS AND OR NOT NULL IS IN LIKE GLOB BETWEEN EXISTS CASE WHEN THEN ELSE END DISTINCT UNION ALL EXCEPT INTERSECT WITH RECURSIVE VALUES ASC DESC CAST OVER PARTITION EXPLAIN'.split(
    ' ',
  )

export const functions: readonly string[] =
  'count sum avg min max total group_concat abs round coalesce iif ifnull nullif length substr instr lower upper replace printf pow log2 sqrt json_extract typeof row_number rank lag lead'.split(
    ' ',
  )
