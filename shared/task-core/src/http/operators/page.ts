// The frame of the pages for people, and what they have in common. They work without JavaScript, which their policy forbids.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html } from './html.ts'
import { contentPolicy, style } from './style.ts'

/** A whole page. `content` ends with the ways on from it, if there are any. */
export const page = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ markup: style }}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.markup

/** Where the agent's root is from the address of `request`, which may stand below a proxy's path: `./`, `../` and so on. */
export const rootFrom = ({ url }: FastifyRequest): string =>
  `./${'../'.repeat(url.replace(/\?.*$/s, '').split('/').length - 2)}`

export const wantsHtml = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/html') ?? false

export const sendPage = (reply: FastifyReply, text: string): FastifyReply =>
  reply
    .headers({
      'content-security-policy': contentPolicy,
      // With `no-referrer` a browser would hide the Origin of the page's own forms too.
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(text)

/** Answers with `data`, or with the page of it where a person looks. */
export const answer = (
  request: FastifyRequest,
  reply: FastifyReply,
  data: object,
  draw: () => string,
): FastifyReply => (wantsHtml(request) ? sendPage(reply, draw()) : reply.send(data))
