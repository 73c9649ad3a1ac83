"use client";
import { AppWindow } from "lucide-react";
import { useState } from "react";
import { cn } from "@/app/_components/ui/cn";

/** `--tile-…` of globals.css: enough contrast to white in both themes. */
const tiles = [
  "bg-tile-indigo",
  "bg-tile-teal",
  "bg-tile-rose",
  "bg-tile-amber",
  "bg-tile-sky",
  "bg-tile-violet",
  "bg-tile-green",
  "bg-tile-slate",
] as const;

const sizes = { sm: "size-6 rounded-control", lg: "size-14 rounded-card" } as const;

/**
 * Initials stand in for a missing or broken icon, and for one without TLS, which the Content-Security-Policy requires.
 */
export function AppIcon({ url, name, size }: Readonly<{ url: string | null; name: string; size: keyof typeof sizes }>) {
  const [failed, setFailed] = useState<string | null>(null);
  const box = cn("shrink-0 border border-line bg-hover", sizes[size]);
  const initials = initialsOf(name);
  if (url === null || failed === url || !/^(https:|data:image\/)/i.test(url)) {
    return (
      <span
        aria-hidden="true"
        data-icon="none"
        className={cn(
          "grid shrink-0 place-items-center font-semibold text-on-tile select-none",
          sizes[size],
          size === "lg" ? "text-lg" : "text-[0.625rem]",
          tileOf(name),
        )}
      >
        {initials === "" ? <AppWindow className={size === "lg" ? "size-6" : "size-4"} /> : initials}
      </span>
    );
  }
  return (
    // The image optimizer would fetch addresses that the directory chose.
    // oxlint-disable-next-line next/no-img-element
    <img
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      className={cn(box, "object-cover")}
      ref={(image) => {
        // It may have failed before hydration.
        if (image?.complete === true && image.naturalWidth === 0) setFailed(url);
      }}
      onError={() => setFailed(url)}
    />
  );
}

/** Empty for a name without letters or digits. */
export function initialsOf(name: string): string {
  const first = [...name.matchAll(/([\p{L}\p{N}])[\p{L}\p{N}]*/gu)].map(([, letter = ""]) => letter);
  return first.slice(0, 2).join("").toUpperCase();
}

/** The same name always gets the same class. */
export function tileOf(name: string): string {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return tiles[hash % tiles.length] ?? tiles[0];
}
