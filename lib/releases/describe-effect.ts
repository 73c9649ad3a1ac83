import type { AppsEffect } from "@/lib/releases/answer-schema";
import { capital, formatNumber, plural } from "@/lib/vocabulary/format-number";

export const lossWords = { all: "loses everything", own: "loses all of its own" } as const;

/** "12 apps in production change. 3 lose permissions, 10 gain permissions, new consent prompts for 2 apps." */
export function describeAppsEffect(effect: AppsEffect, isDone = false): string {
  const {
    apps_changed: changed,
    apps_new: fresh,
    apps_losing: losing,
    apps_gaining: gaining,
    apps_asked: asked,
  } = effect;
  const others = effect.default_changed ? "every app without an entry of its own" : null;
  if (changed === 0) {
    if (others === null) return `No app in production ${isDone ? "changed" : "changes"}.`;
    return `No app with an entry of its own ${isDone ? "changed" : "changes"}, but ${others}.`;
  }
  const act = (count: number, one: string, many: string, done: string) =>
    plural(count, isDone ? done : one, isDone ? done : many);
  // What apps gain that are new goes without saying.
  const isNew = fresh === changed;
  const told = [
    ...(losing > 0 ? [`${act(losing, "loses", "lose", "lost")} permissions`] : []),
    ...(gaining > 0 && !isNew ? [`${act(gaining, "gains", "gain", "gained")} permissions`] : []),
    ...(asked > 0 ? [`new consent prompts for ${plural(asked, "app")}`] : []),
  ];
  if (told.length === 0 && !isNew) told.push(isDone ? "no permissions changed" : "no permissions change");
  const rest = told.length === 0 ? "" : ` ${capital(told.join(", "))}.`;
  const apps = plural(changed, "app");
  if (isNew) {
    const be = changed === 1 ? (isDone ? "was" : "is") : isDone ? "were" : "are";
    const besides = others === null ? "" : `, and ${others} ${isDone ? "changed" : "changes"}`;
    return `${apps} ${be} new in production${besides}.${rest}`;
  }
  const which =
    others === null ? "in production" : `with ${changed === 1 ? "an entry of its" : "entries of their"} own`;
  const change = isDone ? "changed" : changed === 1 ? "changes" : "change";
  const among = fresh === 0 ? "" : `, ${formatNumber(fresh)} of them new`;
  const besides = others === null ? "" : `, and so ${isDone ? "did" : "does"} ${others}`;
  return `${apps} ${which} ${change}${among}${besides}.${rest}`;
}
