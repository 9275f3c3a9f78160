/** The parts of the npm package `edifact` that the benchmark uses. The package has no types. */
declare module 'edifact/reader.js' {
  // biome-ignore lint/style/noDefaultExport: it is what the package exports
  export default class Reader {
    constructor(config?: { readonly autoDetectEncoding?: boolean })
    parse(text: string): readonly { readonly name: string }[]
  }
}

declare module 'edifact/parser.js' {
  // biome-ignore lint/style/noDefaultExport: it is what the package exports
  export default class Parser {
    onopensegment: (name: string) => void
    onelement: () => void
    oncomponent: (text: string) => void
    encoding(name: string): void
    write(text: string): void
    end(): void
  }
}
