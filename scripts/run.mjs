// Runs a TypeScript file of the project: `node scripts/run.mjs <file> [arguments]`. Plain JavaScript, so that an older Node.js can read it.
import { statSync } from 'node:fs'
import module from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const needed = 22
if (Number(process.versions.node.split('.')[0]) < needed) {
  console.error(
    `Node.js ${needed} or later is needed, and this is ${process.versions.node}: run it through npm after \`npm ci\`, or install a newer Node.js.`,
  )
  process.exit(1)
}

const [file, ...rest] = process.argv.slice(2)
if (file === '--help' || file === '-h') {
  console.log(`npm run agent -- <file>: runs an agent until Ctrl-C, such as
agents/deployer/src/main.ts.

  --help  this text

Environment: PORT, DATA_DIR (data), LOG_FORMAT (json), and what else the README
lists.`)
  process.exit(0)
}
if (!file || file.startsWith('-')) {
  const wrong = file ? `There is no option ${file}.` : 'Name the file of an agent.'
  console.error(`${wrong} \`npm run agent -- --help\` says what there is.`)
  process.exit(1)
}
if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
  console.error(`There is no file ${file} here.`)
  process.exit(1)
}
// What is compiled is kept below the system's folder for temporary files, where it can be: the next start needs two thirds of the time.
module.enableCompileCache?.()
// Node.js leaves the types out by itself from 22.18 on, and what runs then is what is written. tsx makes a call of each inner function's
// definition, which a request pays for.
if (!process.features.typescript) {
  const { register } = await import('tsx/esm/api')
  register()
}
process.argv.splice(1, process.argv.length - 1, resolve(file), ...rest)
await import(pathToFileURL(resolve(file)).href)
