/** Text as it is, which may scroll sideways; a block that scrolls has to be reached by keyboard. */
export function CodeBlock({ children, title }: { children: string; title?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll
    <pre tabIndex={0} {...(title === undefined ? {} : { title })}>
      {children}
    </pre>
  )
}
