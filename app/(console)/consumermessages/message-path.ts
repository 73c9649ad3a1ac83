import type { Environment } from "@/lib/words/vocabulary";

/** Where a message is edited, or with `production` read. It is known by its name: that address stays good. */
export function messagePath(category: string, environment: Environment): string {
  return `/consumermessages/manage?category=${encodeURIComponent(category)}&environment=${environment}`;
}
