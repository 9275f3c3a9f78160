/** A request as code in five languages. The key is read from the environment, so that nobody pastes one into a file. */

export interface Asked {
  readonly method: string
  /** With its query, from the origin on. */
  readonly url: string
  readonly body: string | null
}

const type = 'application/vnd.api+json'

export const languages: Readonly<Record<string, (asked: Asked) => string>> = {
  curl: ({ method, url, body }) =>
    [
      `curl -X ${method} '${url}'`,
      `-H "Authorization: Token $LANDFALL_KEY"`,
      ...(body === null ? [] : [`-H 'Content-Type: ${type}'`, `-d '${body.replaceAll("'", "'\\''")}'`]),
    ].join(' \\\n  '),
  JavaScript: ({ method, url, body }) =>
    `const answer = await fetch('${url}', {
  method: '${method}',
  headers: { authorization: \`Token \${process.env.LANDFALL_KEY}\`${body === null ? '' : `, 'content-type': '${type}'`} },${body === null ? '' : `\n  body: JSON.stringify(${body}),`}
})
console.log(await answer.json())`,
  Python: ({ method, url, body }) =>
    `import os, requests
answer = requests.request("${method}", "${url}",
    headers={"Authorization": f"Token {os.environ['LANDFALL_KEY']}"${body === null ? '' : `, "Content-Type": "${type}"`}}${body === null ? '' : `,\n    data=${JSON.stringify(body)}`})
print(answer.json())`,
  Go: ({ method, url, body }) =>
    `request, _ := http.NewRequest("${method}", "${url}", ${body === null ? 'nil' : `strings.NewReader(${JSON.stringify(body)})`})
request.Header.Set("Authorization", "Token "+os.Getenv("LANDFALL_KEY"))${body === null ? '' : `\nrequest.Header.Set("Content-Type", "${type}")`}
answer, err := http.DefaultClient.Do(request)`,
  Java: ({ method, url, body }) =>
    `var request = HttpRequest.newBuilder(URI.create("${url}"))
    .header("Authorization", "Token " + System.getenv("LANDFALL_KEY"))${body === null ? '' : `\n    .header("Content-Type", "${type}")`}
    .method("${method}", ${body === null ? 'BodyPublishers.noBody()' : `BodyPublishers.ofString(${JSON.stringify(body)})`})
    .build();
var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());`,
}
