// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are code that holds templates
import { at, onLine, ruleCases } from './rule-cases.ts'

ruleCases('sql-from-strings', {
  planted: [
    'db.prepare(`SELECT * FROM payments WHERE id = ${id}`)',
    `const sql = 'SELECT * FROM payments WHERE id = ' + id`,
    `const sql = 'SELECT * ' + 'FROM payments WHERE id = ' + "'" + id`,
    `const sql = "DELETE FROM payments WHERE id = '" + request.id + "'"`,
    'await pool.query(`insert into payments values (${id})`)',
    'return `UPDATE payments SET status = ${status}`',
    onLine(1, 'const sql = `\n  SELECT *\n  FROM payments\n  WHERE order_id = ${order}\n`'),
    `sql += ' AND status = ' + status`,
    onLine(2, "let columns = 'id, status'\nconst sql = `SELECT ${columns} FROM payments`"),
    onLine(2, "const columns = 'id,' + more\nconst sql = `SELECT ${columns} FROM payments`"),
    'const sql = `SELECT * FROM payments ${orders.map((o) => `WHERE id = ${o}`)}`',
  ],
  quiet: [
    `db.prepare('SELECT * FROM payments WHERE id = ?').get(id)`,
    `const sql = 'SELECT * ' +\n  'FROM payments ' +\n  'WHERE id = $1'`,
    'const rows = await sql`SELECT * FROM payments WHERE id = ${id}`',
    'const rows = await sql<Payment[]>`SELECT * FROM payments WHERE id = ${id}`',
    'const rows = await Prisma.sql`SELECT * FROM payments WHERE id = ${id}`',
    'const sql = `SELECT ${COLUMNS} FROM payments WHERE id = ?`',
    "const columns = 'id, status'\nconst sql = `SELECT ${columns} FROM payments`",
    `const sql = 'SELECT ' + COLUMNS + ' FROM payments'`,
    'const sql = `SELECT * FROM payments WHERE id = $${values.length}`',
    'const text = `Select a payment from ${list}`',
    'log.info(`update of ${id} set to ${status}`)',
    `// db.query('SELECT * FROM payments WHERE id = ' + id)`,
    'const doc = "db.query(`SELECT * FROM payments WHERE id = ${id}`)"',
    at('README.md', 'db.query(`SELECT * FROM payments WHERE id = ${id}`)'),
    at('test/store.test.ts', 'db.exec(`DELETE FROM payments WHERE id = ${id}`)'),
  ],
})

ruleCases('shell-injection', {
  planted: [
    'exec(`git log ${branch}`)',
    `execSync('rm -rf ' + folder)`,
    'child_process.exec(`convert ${file}`, done)',
    'await execAsync(`git log ${branch}`)',
    at('scripts/release.js', 'execSync(`git tag ${version}`)'),
  ],
  quiet: [
    `execSync('git log')`,
    `execFile('git', ['log', branch])`,
    'pattern.exec(`${name}:`)',
    'database.exec(`PRAGMA user_version = ${version}`)',
    '// exec(`git log ${branch}`)',
    at('test/a.test.ts', 'execSync(`git log ${branch}`)'),
    'exec(`git log ${MAIN_BRANCH}`)',
  ],
})

ruleCases('code-from-strings', {
  planted: ['eval(body)', 'const value = eval (text)', `const add = new Function('a', 'b', text)`],
  quiet: [
    'evaluate(body)',
    at('test/a.test.ts', 'eval(body)'),
    'redis.eval(script)',
    `const text = 'eval(body)'`,
    '// never eval(body)',
    'const Type = Function',
    'const pattern = /eval(x)/',
  ],
})
