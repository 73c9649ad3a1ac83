"use client";
import type { ReactNode } from "react";
import { LazyLayer } from "@/app/_components/overlay/lazy-layer";

const load = () => import("@/app/_components/overlay/term-layer").then((m) => m.TermLayer);

/**
 * A technical term with its meaning in place: on hover, focus and tap; stays while pointed at, goes with Escape.
 *
 * @example <Term word="HMI level">How visible an app must be for a call to be allowed.</Term>
 */
export function Term({ word, children }: Readonly<{ word: ReactNode; children: ReactNode }>) {
  return (
    <LazyLayer
      popup="dialog"
      load={load}
      props={{ children }}
      trigger={
        <button
          type="button"
          className="cursor-help rounded-xs text-left underline decoration-dotted decoration-1 underline-offset-4"
        >
          {word}
        </button>
      }
    />
  );
}
