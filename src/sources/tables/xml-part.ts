/**
 * One part of a workbook as XML, read as it is unzipped: nothing is built of it. A document type is refused before anything
 * it declares counts, so that no entity ever stands for another.
 */

import sax, { type QualifiedTag, type Tag } from 'sax'
import { TableFault } from './table.ts'

export interface XmlHandler {
  /** Names without their prefix. */
  readonly open?: (name: string, attribute: (name: string) => string | null) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

const depthMax = 64

/** Takes the texts of the part one after another. Throws a `TableFault` for what is not well-formed. */
export async function readXml(
  texts: AsyncIterable<string>,
  what: string,
  handler: XmlHandler,
): Promise<void> {
  const parser = sax.parser(true)
  let depth = 0
  parser.onerror = () => {
    throw new TableFault(`The part ${what} of the workbook is no well-formed XML.`)
  }
  parser.ondoctype = () => {
    throw new TableFault(`The part ${what} of the workbook declares a document type, which no workbook has.`)
  }
  parser.onopentag = (tag) => {
    depth += 1
    if (depth > depthMax) throw new TableFault(`The part ${what} of the workbook is nested too deep.`)
    handler.open?.(localName(tag.name), (name) => attributeOf(tag, name))
  }
  parser.ontext = (text) => handler.text?.(text)
  parser.oncdata = (text) => handler.text?.(text)
  parser.onclosetag = (name) => {
    depth -= 1
    handler.close?.(localName(name))
  }
  for await (const text of texts) parser.write(text)
  parser.close()
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** `:id` is the attribute of that name with a prefix, whichever. */
function attributeOf({ attributes }: Tag | QualifiedTag, name: string): string | null {
  const own = name.startsWith(':') ? Object.keys(attributes).find((each) => each.endsWith(name)) : name
  const value = own !== undefined && Object.hasOwn(attributes, own) ? attributes[own] : undefined
  return typeof value === 'string' ? value : null
}
