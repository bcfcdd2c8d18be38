import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { realWorld } from '../world.ts'
import { createBatch, StoreError } from './batch.ts'

/** A file with one table, its batch, and what a reader on another connection sees. */
function open() {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-kit-'))
  const db = new Database(join(folder, 'test.db'))
  db.pragma('journal_mode = WAL')
  db.exec('CREATE TABLE words (word TEXT UNIQUE)')
  const reader = new Database(join(folder, 'test.db'), { readonly: true })
  onTestFinished(() => {
    reader.close()
    db.close()
    rmSync(folder, { recursive: true })
  })
  const moments: string[] = []
  const insert = db.prepare('INSERT INTO words VALUES (?)')
  let gathered: string[] = []
  const batch = createBatch(
    db,
    { ...realWorld, moment: (name) => void moments.push(name) },
    {
      isEmpty: () => gathered.length === 0,
      isLarge: () => gathered.join('').length > 256 * 1024,
      undoably: (work) => work(),
      apply() {
        for (const word of gathered) insert.run(word)
        gathered = []
      },
      clear() {
        gathered = []
      },
      committed: () => {},
    },
  )
  const words = reader.prepare('SELECT word FROM words ORDER BY rowid').pluck()
  return {
    db,
    batch,
    moments,
    add: (word: string) => batch.write(() => insert.run(word) && word),
    insert: (word: string) => void insert.run(word),
    gather: (word: string) => batch.append(() => void gathered.push(word)),
    words: () => words.all(),
  }
}

describe('the writes of one turn', () => {
  test('are done at once, seen by nobody, and committed together', async () => {
    const { add, words, moments } = open()
    const writes = [add('a'), add('b'), add('c')]
    expect(words()).toEqual([])
    expect(await Promise.all(writes)).toEqual(['a', 'b', 'c'])
    expect(words()).toEqual(['a', 'b', 'c'])
    expect(moments).toEqual(['commit:before', 'commit:after'])
    await add('d')
    expect(moments).toHaveLength(4)
  })

  test('take effect after the commit, in order, before any of them resolves', async () => {
    const { batch, insert, words } = open()
    const seen: unknown[] = []
    const one = batch.write(() => {
      insert('a')
      batch.afterCommit(() => seen.push(['effect', words()]))
    })
    const two = batch.write(() => {
      insert('b')
      batch.afterCommit(() => seen.push('second effect'))
    })
    await Promise.all([one.then(() => seen.push('one')), two.then(() => seen.push('two'))])
    expect(seen).toEqual([['effect', ['a', 'b']], 'second effect', 'one', 'two'])
  })

  test('may be followed by writes that an effect makes', async () => {
    const { batch, insert, add, words } = open()
    let later: Promise<unknown> | undefined
    await batch.write(() => {
      insert('a')
      batch.afterCommit(() => {
        later = add('b')
      })
    })
    await later
    expect(words()).toEqual(['a', 'b'])
  })
})

describe('a write that throws', () => {
  test('is undone with its effects, alone', async () => {
    const { batch, insert, add, words } = open()
    const effects: string[] = []
    const bad = batch.write(() => {
      insert('b')
      batch.afterCommit(() => effects.push('b'))
      throw new RangeError('not this one')
    })
    const good = batch.write(() => {
      insert('c')
      batch.afterCommit(() => effects.push('c'))
    })
    const results = await Promise.allSettled([add('a'), bad, good])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    await expect(bad).rejects.toBeInstanceOf(RangeError)
    expect(words()).toEqual(['c', 'a'])
    expect(effects).toEqual(['c'])
  })

  test('because SQLite refused it rejects with StoreError, and the rest of the turn is kept', async () => {
    const { add, words } = open()
    const results = await Promise.allSettled([add('a'), add('a'), add('b')])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    await expect(add('a')).rejects.toBeInstanceOf(StoreError)
    expect(words()).toEqual(['a', 'b'])
  })
})

describe('a disk that is full', () => {
  test('loses the whole turn, and nothing of it is stored, effects neither', async () => {
    const { db, batch, add, insert, words } = open()
    await add('before')
    db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`)
    const effects: string[] = []
    const first = batch.write(() => {
      insert('first')
      batch.afterCommit(() => effects.push('first'))
    })
    const full = add('x'.repeat(100_000))
    const after = batch.write(() => {
      insert('after')
      batch.afterCommit(() => effects.push('after'))
    })
    for (const result of await Promise.allSettled([first, full, after])) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(StoreError) })
    }
    expect(words()).toEqual(['before'])
    expect(effects).toEqual([])
    db.pragma('max_page_count = 100000')
    await add('again')
    expect(words()).toEqual(['before', 'again'])
  })

  test('that refuses the commit loses the turn too', async () => {
    const { db, add, words } = open()
    const writes = [add('a'), add('b')]
    db.exec('ROLLBACK') // what SQLite does by itself after some errors
    for (const result of await Promise.allSettled(writes)) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(StoreError) })
    }
    expect(words()).toEqual([])
    await add('c')
    expect(words()).toEqual(['c'])
  })
})

test('a store that somebody else keeps locked rejects with StoreError, and works again afterwards', async () => {
  const { db, add, words } = open()
  const other = new Database(db.name)
  onTestFinished(() => void other.close())
  db.pragma('busy_timeout = 10')
  other.exec('BEGIN IMMEDIATE')
  await expect(add('a')).rejects.toBeInstanceOf(StoreError)
  other.exec('ROLLBACK')
  await add('b')
  expect(words()).toEqual(['b'])
})

test('closing commits what is open, and leaves later writes pending', async () => {
  const { batch, add, words } = open()
  const last = add('a')
  batch.close()
  expect(words()).toEqual(['a'])
  await last
  const never = add('b').then(() => 'written')
  expect(await Promise.race([never, new Promise((resolve) => setImmediate(resolve, 'pending'))])).toBe(
    'pending',
  )
  expect(words()).toEqual(['a'])
})

describe('what a turn gathers', () => {
  test('is committed once, after everybody who came together has gone as far as it gets', async () => {
    const { batch, gather, words, moments } = open()
    const steps: string[] = []
    const caller = async (word: string) => {
      const together = batch.together()
      setImmediate(() => steps.push('what else the turn does'))
      await together
      gather(word)
      steps.push(`${word} gathered`)
      await Promise.resolve()
      steps.push(`${word} goes on`)
      await batch.stored()
      steps.push(`${word} stored`)
    }
    await Promise.all([caller('a'), caller('b')])
    await new Promise((resolve) => setImmediate(resolve))
    const before = ['a gathered', 'b gathered', 'a goes on', 'b goes on', 'a stored', 'b stored']
    expect(steps).toEqual([...before, 'what else the turn does', 'what else the turn does'])
    expect([words(), moments]).toEqual([
      ['a', 'b'],
      ['commit:before', 'commit:after'],
    ])
  })

  test('is seen by nobody before', async () => {
    const { batch, gather, words } = open()
    gather('a')
    expect(words()).toEqual([])
    await batch.stored()
    expect(words()).toEqual(['a'])
  })

  test('comes before a write of the same turn, and survives its failure', async () => {
    const { batch, gather, insert, words } = open()
    gather('a')
    const bad = batch.write(() => {
      insert('b')
      throw new RangeError('not this one')
    })
    await expect(bad).rejects.toBeInstanceOf(RangeError)
    await batch.stored()
    expect(words()).toEqual(['a'])
  })

  test('is committed before the turn ends where it is large, once who goes on has gone as far as it gets', async () => {
    const { batch, gather, words } = open()
    const large = 'x'.repeat(300_000)
    gather(large)
    expect(batch.isLarge()).toBe(true)
    await Promise.resolve()
    expect(words()).toEqual([])
    await new Promise((resolve) => process.nextTick(resolve))
    expect(words()).toEqual([large])
    expect(batch.isLarge()).toBe(false)
  })

  test('is not lost by the write of another that cannot lock the file', async () => {
    const { db, batch, gather, add, words } = open()
    const other = new Database(db.name)
    onTestFinished(() => void other.close())
    db.pragma('busy_timeout = 10')
    batch.reading() // so that the turn has not locked the file yet
    const heard: unknown[] = []
    gather('a')
    batch.afterCommit(() => heard.push(words()))
    other.exec('BEGIN IMMEDIATE')
    const locked = add('b')
    other.exec('ROLLBACK')
    await Promise.all([expect(locked).rejects.toBeInstanceOf(StoreError), batch.stored()])
    expect(heard).toEqual([['a']])
  })

  test('is stored whole or not at all, whoever has it put into the file', async () => {
    const { batch, gather, add, words } = open()
    const heard: string[] = []
    gather('a')
    gather('a')
    batch.afterCommit(
      () => heard.push('committed'),
      () => heard.push('lost'),
    )
    const results = await Promise.allSettled([batch.stored(), add('b')])
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(StoreError) })
    }
    expect([words(), heard]).toEqual([[], ['lost']])
    await add('c')
    expect(words()).toEqual(['c'])
  })

  test('is lost with a commit that fails: who goes on from it hears of that, and nothing is left of it', async () => {
    const { db, batch, gather, words } = open()
    const other = new Database(db.name)
    onTestFinished(() => void other.close())
    db.pragma('busy_timeout = 10')
    expect(batch.reading()).toBe(false) // a turn that only reads locks nothing
    other.exec('BEGIN IMMEDIATE')
    const heard: string[] = []
    gather('a')
    batch.afterCommit(
      () => heard.push('committed'),
      () => heard.push('lost'),
    )
    await expect(batch.stored()).rejects.toBeInstanceOf(StoreError)
    expect(heard).toEqual(['lost'])
    other.exec('ROLLBACK')
    gather('b')
    await batch.stored()
    expect(words()).toEqual(['b'])
  })

  test('is not lost with a write that could not begin: it is stored at the end of the turn, or its loss is told', async () => {
    const { db, batch, add, gather, words } = open()
    const other = new Database(db.name)
    onTestFinished(() => void other.close())
    db.pragma('busy_timeout = 10')
    const turnWith = async (word: string, meanwhile: () => void) => {
      batch.reading()
      other.exec('BEGIN IMMEDIATE')
      gather(word)
      const stored = batch.stored()
      stored.catch(() => {}) // it is looked at below
      await expect(add('refused')).rejects.toBeInstanceOf(StoreError)
      meanwhile()
      return stored
    }
    await turnWith('kept', () => other.exec('ROLLBACK'))
    expect(words()).toEqual(['kept'])
    await expect(turnWith('lost', () => {})).rejects.toBeInstanceOf(StoreError)
    other.exec('ROLLBACK')
    expect(words()).toEqual(['kept'])
  })

  test('takes no change that is not gathered', () => {
    const { batch } = open()
    expect(() => batch.append(() => batch.inWrite())).toThrow('by `write` alone')
  })
})
