import Foundation
import PostgresTestServer
import TestSupport

/// Functions and operators that an attacker has created in Vigil's schema.
///
/// Of each that a statement of Vigil may call there is one for every exact combination of types that the
/// server's own would be given. A call is counted, even if its transaction is rolled back, and then fails.
struct PlantedFunctions {
  private let schema: PostgresSchema

  /// - Parameter attacker: A login that may create objects in the schema.
  init(in schema: PostgresSchema, by attacker: String) throws {
    self.schema = schema
    let session = try PostgresSession(url: schema.url(as: attacker))
    let words = try Self.wordsOfStatements()
    func list(_ names: Set<String>) -> String {
      "ARRAY[\(names.sorted().map { "'\($0)'" }.joined(separator: ", "))]"
    }
    // What is planted shall not be called by what plants it.
    try session.execute("SET search_path = pg_catalog")
    try session.execute(
      """
      CREATE SEQUENCE \(schema.quotedName).calls;
      GRANT ALL ON SEQUENCE \(schema.quotedName).calls TO PUBLIC
      """)
    try session.execute(
      Self.planting
        .replacing("<schema>", with: "'\(schema.quotedName.replacing("'", with: "''"))'")
        .replacing("<functions>", with: list(words.functions))
        .replacing("<operators>", with: list(words.operators)))
  }

  /// The number of planted functions.
  func count() throws -> Int {
    try number("SELECT count(*) FROM pg_proc WHERE prosrc LIKE '%a planted function%'")
  }

  /// The number of calls of any of them since the beginning.
  func calls() throws -> Int {
    try number(
      "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM \(schema.quotedName).calls")
  }

  private func number(_ query: String) throws -> Int {
    let session = try PostgresSession(url: schema.url(as: "postgres"))
    try session.execute("SET search_path = pg_catalog")
    return try session.rows(query).values[0][0].flatMap { Int($0) } ?? -1
  }

  /// Every word before a parenthesis, and every run of operator characters, in the sources of statements;
  /// words of Swift are among them, and the server knows which are its own.
  private static func wordsOfStatements() throws -> (
    functions: Set<String>, operators: Set<String>
  ) {
    // What SQL writes as words: IN, BETWEEN, LIKE and the like.
    var operators: Set = ["=", "<>", "<", "<=", ">", ">=", "~~", "!~~", "~~*"]
    var functions: Set<String> = []
    for module in ["VigilStorage", "VigilPostgres"] {
      let folder = SharedFolder.repository.appending(path: "Sources/\(module)")
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      for case let file as URL in files ?? .init()
      where ["swift", "sql"].contains(file.pathExtension) {
        let text = try String(contentsOf: file, encoding: .utf8)
        functions.formUnion(text.matches(of: /([a-z_][a-z0-9_]*) ?\(/).map { String($0.1) })
        operators.formUnion(text.matches(of: /[-+*\/<>=~!@#%^&|?]+/).map { String($0.0) })
      }
    }
    return (functions, operators)
  }

  private static let planting = #"""
    DO $do$
    DECLARE
      own text := <schema>;
      used regtype[] := ARRAY[
        'uuid', 'text', 'varchar', 'name', '"char"', 'bpchar', 'int2', 'int4', 'int8', 'float4',
        'float8', 'numeric', 'bool', 'date', 'timestamp', 'timestamptz', 'interval', 'time',
        'jsonb', 'json', 'oid', 'regclass'];
      body text := format(
        $f$BEGIN PERFORM nextval(%L); RAISE EXCEPTION 'a planted function was called'; END$f$,
        own || '.calls');
      call record;
      number int := 0;
    BEGIN
      CREATE TEMP TABLE declared AS
        SELECT 'f' AS kind, proname::text AS name, array_remove(
            CASE WHEN provariadic <> 0 THEN proargtypes[0:pronargs - 2] ELSE proargtypes END::oid[],
            NULL) AS args,
          provariadic, prorettype AS result, proretset AS is_set
        FROM pg_proc
        WHERE pronamespace = 'pg_catalog'::regnamespace AND pronargs BETWEEN 1 AND 4
          AND proname = ANY (<functions>)
        UNION ALL
        SELECT 'o', oprname::text, array_remove(ARRAY[nullif(oprleft, 0), nullif(oprright, 0)], NULL),
          0, oprresult, FALSE
        FROM pg_operator
        WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprkind = 'b'
          AND oprname = ANY (<operators>)
          AND (oprleft = ANY (used) OR oprleft::regtype::text LIKE 'any%');

      CREATE TEMP TABLE planned AS
      -- Any type means each type, the same for all arguments of a call.
      SELECT kind, name, result, is_set, base, (
          SELECT array_agg(
            CASE
              WHEN arg::regtype::text IN ('anyarray', 'anycompatiblearray') THEN
                (base::text || '[]')::regtype::oid
              WHEN arg::regtype::text LIKE '%any%' THEN base::oid
              ELSE arg
            END ORDER BY place)
          FROM unnest(args || array_fill(provariadic, ARRAY[more])) WITH ORDINALITY AS one (arg, place)
        ) AS args
      FROM declared, unnest(used) AS base,
        generate_series(CASE provariadic WHEN 0 THEN 0 ELSE 1 END, CASE provariadic WHEN 0 THEN 0 ELSE 3 END)
          AS more
      WHERE EXISTS (
        SELECT FROM unnest(args || provariadic) AS arg WHERE arg::regtype::text LIKE '%any%')
      UNION ALL
      -- One argument at a time is of a type that the server would have to convert.
      SELECT kind, name, result, is_set, NULL, (
          SELECT array_agg(CASE place WHEN position THEN coalesce(given, arg) ELSE arg END ORDER BY place)
          FROM unnest(args) WITH ORDINALITY AS one (arg, place))
      FROM declared, generate_series(1, cardinality(args)) AS position, LATERAL (
        SELECT NULL::oid AS given
        UNION ALL
        SELECT castsource FROM pg_cast
        WHERE casttarget = args[position] AND castcontext = 'i' AND castsource = ANY (used)
      ) AS source
      WHERE provariadic = 0;

      FOR call IN
        SELECT DISTINCT ON (kind, name, args) kind, name, is_set,
          (SELECT string_agg(format_type(arg, NULL), ', ' ORDER BY place)
            FROM unnest(args) WITH ORDINALITY AS one (arg, place)) AS args,
          args AS types,
          CASE
            WHEN result::regtype::text IN ('anyarray', 'anycompatiblearray') THEN
              (base::text || '[]')::regtype
            WHEN result::regtype::text LIKE 'any%' THEN base
            WHEN (SELECT typtype FROM pg_type WHERE oid = result) = 'p' THEN 'text'::regtype
            ELSE result::regtype
          END AS result
        FROM planned
        WHERE NOT EXISTS (
          SELECT FROM unnest(args) AS arg JOIN pg_type ON pg_type.oid = arg WHERE typtype = 'p')
        ORDER BY kind, name, args, base
      LOOP
        number := number + 1;
        EXECUTE format(
          'CREATE FUNCTION %s.%I(%s) RETURNS %s %s LANGUAGE plpgsql SET search_path = pg_catalog AS %L',
          own, CASE call.kind WHEN 'f' THEN call.name ELSE 'planted_' || number END, call.args,
          CASE WHEN call.is_set THEN 'SETOF' ELSE '' END, call.result, body);
        IF call.kind = 'o' THEN
          EXECUTE format(
            'CREATE OPERATOR %s.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = %s.planted_%s)',
            own, call.name, format_type(call.types[1], NULL), format_type(call.types[2], NULL),
            own, number);
        END IF;
      END LOOP;
    END
    $do$
    """#
}
