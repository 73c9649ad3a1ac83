import { realpathSync } from "node:fs";
import Module from "node:module";
import path from "node:path";

type Resolve = (request: string, ...others: unknown[]) => string;

/** Where Next's build puts links to the packages that stay outside of its bundles. */
const links = path.join(".next", "node_modules") + path.sep;

/**
 * Has packages that Next's bundles require through links found under their real path, as Node does by itself: but after a
 * look at a pipe or a socket, such as a standard output that is one, Node 20 leaves links as they are. Then there would be
 * a second copy of the database driver, which nobody ever connects, and every route would answer 503 until a restart.
 * To be called before Next loads its first bundle.
 */
export function resolveLinksOfNext(): void {
  const loader = Module as unknown as { _resolveFilename: Resolve };
  const resolve = loader._resolveFilename;
  loader._resolveFilename = function (this: unknown, ...call: Parameters<Resolve>) {
    const found = resolve.apply(this, call);
    return found.includes(links) ? realpathSync.native(found) : found;
  };
}
