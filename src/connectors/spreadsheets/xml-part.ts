/**
 * Reads one part of a workbook as XML while it is unzipped, without building a tree. A document type declaration is
 * refused at once, so that no entities can be defined.
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

/** Reads the texts of the part one after another. Throws a `TableFault` for XML that is not well-formed. */
export async function readXml(texts: AsyncIterable<string>, what: string, handler: XmlHandler): Promise<void> {
  const parser = sax.parser(true)
  let depth = 0
  parser.onerror = () => {
    throw new TableFault(`The part ${what} of the workbook is not well-formed XML.`)
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

/** `:id` is the attribute `id` with any prefix. */
function attributeOf({ attributes }: Tag | QualifiedTag, name: string): string | null {
  const attributeName = name.startsWith(':') ? Object.keys(attributes).find((each) => each.endsWith(name)) : name
  const value =
    attributeName !== undefined && Object.hasOwn(attributes, attributeName) ? attributes[attributeName] : undefined
  return typeof value === 'string' ? value : null
}
