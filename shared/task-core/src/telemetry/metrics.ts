// The numbers of an agent for Prometheus, and those of its process. Loaded only where metrics are switched on.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Metrics, Sources } from './telemetry.ts'

/** In seconds. A blocking SendMessage may take as long as its task. */
const durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
const commits = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5]

/** Those of Node.js itself. Made once in a process: what measures them cannot be stopped, and would hold a closed agent. */
const ofProcess = new Registry()
collectDefaultMetrics({ register: ofProcess })

/** Labels have few values: names of the protocol and of this file, never an id, an owner, or what a client wrote. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  let sources: Sources | undefined

  const operations = new Histogram({
    name: 'a2a_operation_duration_seconds',
    help: 'How long operations took, a streaming one until its stream began.',
    labelNames: ['operation', 'binding', 'outcome'],
    buckets: durations,
    registers,
  })
  const commit = new Histogram({
    name: 'a2a_commit_duration_seconds',
    help: 'How long the store took to commit what was written in one turn of the event loop.',
    buckets: commits,
    registers,
  })
  const refused = new Counter({
    name: 'a2a_refused_requests_total',
    help: 'Requests that were answered with an error, by the name that the protocol gives it.',
    labelNames: ['reason', 'binding'],
    registers,
  })
  const streams = new Gauge({
    name: 'a2a_open_streams',
    help: 'Streams that are open.',
    labelNames: ['binding'],
    registers,
  })
  for (const binding of ['JSONRPC', 'HTTP+JSON', 'GRPC']) streams.set({ binding }, 0) // so that an alarm has something to read
  const gauge = <L extends string>(
    name: string,
    help: string,
    labelNames: L[],
    fill: (gauge: Gauge<L>, from: Sources) => void,
  ) =>
    new Gauge<L>({
      name,
      help,
      labelNames,
      registers,
      collect() {
        if (sources) fill(this, sources)
      },
    })

  gauge('a2a_tasks', 'Tasks that are kept, by state.', ['state'], (tasks, from) => {
    for (const { state, tasks: count } of from.tasks()) tasks.set({ state }, count)
  })
  gauge(
    'a2a_waits',
    'Tasks that wait: for an answer, an approval, or another agent.',
    ['kind'],
    (waits, from) => {
      for (const { kind, waits: count } of from.waits()) waits.set({ kind }, count)
    },
  )
  gauge(
    'a2a_oldest_wait_seconds',
    'How long the oldest of these waits has lasted; 0 without any.',
    ['kind'],
    (oldest, from) => {
      for (const { kind, since } of from.waits())
        oldest.set({ kind }, since === null ? 0 : Math.max(0, from.now() - since) / 1000)
    },
  )
  gauge(
    'a2a_push_receivers',
    'Receivers of push notifications: with events to send (due), and given up (failing).',
    ['state'],
    (receivers, from) => {
      for (const [state, count] of Object.entries(from.outbox())) receivers.set({ state }, count)
    },
  )
  gauge(
    'a2a_turns',
    'Turns of tasks: running, and queued for a place or for their context.',
    ['state'],
    (turns, from) => {
      for (const [state, count] of Object.entries(from.turns())) turns.set({ state }, count)
    },
  )

  // A labelled child is looked up once: the lookup costs more than what it counts.
  const children = new Map<string, { observe(seconds: number): void }>()
  const child = (operation: string, binding: string, outcome: string) => {
    const key = `${operation} ${binding} ${outcome}`
    const known = children.get(key) ?? operations.labels({ operation, binding, outcome })
    children.set(key, known)
    return known
  }

  const all = Registry.merge([ofProcess, registry])
  return {
    operation: (name, binding, outcome, seconds) => child(name, binding, outcome).observe(seconds),
    refused: (reason, binding) => refused.inc({ reason, binding }),
    stream: (binding, change) => streams.inc({ binding }, change),
    commit: (seconds) => commit.observe(seconds),
    read(from) {
      sources = from
    },
    text: () => all.metrics(),
    contentType: all.contentType,
  }
}
