import { cache } from "react";

/** React's own `cache` treats equal query objects as different. */
export function oncePerRequest<Query, T>(read: (query: Query) => Promise<T>): (query: Query) => Promise<T> {
  const asked = cache(() => new Map<string, Promise<T>>());
  return (query) => {
    const [known, key] = [asked(), JSON.stringify(query)];
    const found = known.get(key) ?? read(query);
    known.set(key, found);
    return found;
  };
}
