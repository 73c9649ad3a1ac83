import { Fragment } from "react";

/** Behind a separator, and where a capital begins a word within a name: "Own|Group-|2", "RPC|Name". */
const borders = /(?<=[-_./:])(?=[^-_./:\s])|(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** A name that wraps at the borders of its words, and within one only where that alone is wider than its place. */
export function Breakable({ text }: Readonly<{ text: string }>) {
  return (
    <span className="wrap-break-word">
      {text.split(borders).map((word, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </span>
  );
}
