import { Fragment } from "react";

/**
 * "Own|Group-|2", "RPC|Name"
 */
const borders = /(?<=[-_./:])(?=[^-_./:\s])|(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Wraps between words, and within a word only if that is wider than its container. */
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
