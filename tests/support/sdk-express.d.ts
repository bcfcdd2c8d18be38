// The little of express that the tests call: it brings no types of its own.
declare module 'express' {
  import type { Server } from 'node:http'

  export type RequestHandler = (request: Request, response: Response, next: () => void) => unknown
  export interface Request {
    params: Record<string, string>
  }
  export interface Response {
    json(body: unknown): void
  }
  export interface Application {
    use(path: string, handler: RequestHandler): void
    post(path: string, handler: RequestHandler): void
    listen(port: number, host: string, listening: () => void): Server
  }
  export default function express(): Application
}
