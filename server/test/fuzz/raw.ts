import { pick, type Sent } from './ask.ts'

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

const json = 'application/json'
const boundary = 'podium-fuzz'
const part = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\n\r\nClass,Section\r\n7,A`

interface Raw {
  says: string
  type?: string
  body: (sent: Sent) => Sent['body']
  headers?: Record<string, string>
}

const text = (sent: Sent) => (typeof sent.body === 'string' ? sent.body : '{}')
const always = (body: string) => () => body

/** Bodies that no client writes, with their media types. */
const raws: readonly Raw[] = [
  { says: 'cut off', type: json, body: (sent) => text(sent).slice(0, -1) },
  { says: 'no body', type: json, body: always('') },
  { says: 'null', type: json, body: always('null') },
  { says: 'a number', type: json, body: always('1') },
  { says: 'a text', type: json, body: always('"x"') },
  { says: 'a list', type: json, body: always('[]') },
  { says: 'twice', type: json, body: (sent) => text(sent).repeat(2) },
  {
    says: 'prototype',
    type: json,
    body: always('{"__proto__":{"id":1},"constructor":{"prototype":{"id":1}}}'),
  },
  { says: 'halves', type: json, body: always('{"id":"\\ud83d","\\udc00":1}') },
  { says: 'NUL', type: json, body: always('{"id":"\\u0000","name":"\\u0000"}') },
  {
    says: 'no UTF-8',
    type: json,
    body: () => new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  },
  { says: 'large', type: json, body: always(`{"id":"${'x'.repeat(400_000)}"}`) },
  { says: 'deep JSON', type: json, body: always(deep(20_000)) },
  { says: 'rather deep JSON', type: json, body: always(`{"id":${deep(200)}}`) },
  { says: 'XML', type: 'application/xml', body: always('<id>1</id>') },
  { says: 'a form', type: 'application/x-www-form-urlencoded', body: always('id=1&version=1') },
  { says: 'plain text', type: 'text/plain', body: text },
  { says: 'no type', type: '', body: text },
  { says: 'an odd charset', type: `${json}; charset=utf-7`, body: text },
  { says: 'a broken type', type: 'application/', body: text },
  { says: 'multipart empty', type: `multipart/form-data; boundary=${boundary}`, body: always('') },
  {
    says: 'multipart ended',
    type: `multipart/form-data; boundary=${boundary}`,
    body: always(`--${boundary}--\r\n`),
  },
  { says: 'multipart cut off', type: `multipart/form-data; boundary=${boundary}`, body: always(part) },
  {
    says: 'multipart without a boundary',
    type: 'multipart/form-data',
    body: always(`${part}\r\n--${boundary}--\r\n`),
  },
  {
    says: 'multipart of another name',
    type: `multipart/form-data; boundary=${boundary}`,
    body: always(`${part.replace('name="file"', 'name="other"')}\r\n--${boundary}--\r\n`),
  },
  {
    says: 'multipart with NUL and bytes that are no list',
    type: `multipart/form-data; boundary=${boundary}`,
    body: always(`${part.replace('list.csv', 'li\u0000st.xlsx')}\u0000PK\u0003\u0004\r\n--${boundary}--\r\n`),
  },
  { says: 'an odd token', body: (sent) => sent.body, headers: { authorization: 'Bearer ../../x' } },
  { says: 'odd cookies', body: (sent) => sent.body, headers: { cookie: '%00=%ff; a=; =b; __proto__=1' } },
  { says: 'from another site', body: (sent) => sent.body, headers: { 'sec-fetch-site': 'cross-site' } },
  { says: 'a retry', body: (sent) => sent.body, headers: { 'idempotency-key': 'fuzz-fuzz-fuzz' } },
  { says: 'an odd retry', body: (sent) => sent.body, headers: { 'idempotency-key': '\u00ff' } },
]
/** Spoils the request itself: its body, media type or headers. Calls that read have no body, and a form is for files. */
export function rawly(sent: Sent, at: number, upload: boolean): { sent: Sent; says: string } {
  const fitting = raws.filter(({ says, headers }) => {
    if (headers !== undefined) return true
    return sent.method !== 'GET' && (says.startsWith('multipart') === upload || at % 5 === 0)
  })
  const raw = pick(fitting, at)
  if (!raw) return { sent, says: '' }
  const headers = { ...sent.headers, ...raw.headers }
  if (raw.type !== undefined) headers['content-type'] = raw.type
  const body = raw.body(sent)
  return {
    sent: { method: sent.method, path: sent.path, headers, ...(body === undefined ? {} : { body }) },
    says: raw.says,
  }
}
