/** How far a wrapped line stands behind its beginning, in characters. */
const hanging = 2;

/** Indented text whose lines keep their indent where they wrap. The text stays as it is, for whoever copies it. */
export function JsonText({ text }: Readonly<{ text: string }>) {
  return text.split(/(?<=\n)/).map((line, index) => {
    const indent = line.length - line.trimStart().length + hanging;
    return (
      <span key={index} className="block" style={{ paddingInlineStart: `${indent}ch`, textIndent: `-${indent}ch` }}>
        {line}
      </span>
    );
  });
}
