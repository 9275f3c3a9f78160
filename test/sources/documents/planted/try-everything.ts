/**
 * Run in the process in which documents are read: tries whatever code could try that had taken over the reading, and
 * writes what came of it, one line each.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'

const [file = '', port = ''] = process.argv.slice(2)
const tell = (what: string, came: string) => process.stdout.write(`${JSON.stringify({ what, came })}\n`)
const attempt = (what: string, work: () => string) => {
  try {
    tell(what, work())
  } catch (error) {
    tell(what, error instanceof Error && 'code' in error ? String(error.code) : 'failed')
  }
}
attempt('read a file', () => readFileSync(file, 'utf8'))
attempt('read the passwords', () => readFileSync('/etc/passwd', 'utf8'))
attempt('read the environment of others', () => readFileSync(`/proc/${process.ppid}/environ`, 'utf8'))
attempt('write a file', () => {
  writeFileSync(`${file}.written`, 'x')
  return 'written'
})
attempt('start a program', () => `status ${spawnSync('true').status}`)
attempt('load machine code', () => {
  process.dlopen({ exports: {} }, '/nothing.node')
  return 'loaded'
})
attempt('make code of text', () => String(new Function('return 1')()))
tell('environment', Object.keys(process.env).join(' '))
tell('interfaces', Object.keys(networkInterfaces()).join(' '))
const socket = connect({ host: '127.0.0.1', port: Number(port) })
socket.on('connect', () => {
  tell('open a socket', 'connected')
  socket.destroy()
})
socket.on('error', (error) => tell('open a socket', 'code' in error ? String(error.code) : 'failed'))
