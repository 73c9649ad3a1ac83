"use client";
import { ImageOff } from "lucide-react";
import { useState } from "react";

/** The icon at an address, as the reader's browser sees it. */
export function IconPreview({ url }: Readonly<{ url: string }>) {
  const [failed, setFailed] = useState<string | null>(null);
  // The page's policy lets in images by https only.
  const isShown = url.startsWith("https://") && failed !== url;
  return (
    <div className="flex items-center gap-3 text-xs text-muted">
      <span className="grid size-14 shrink-0 place-items-center overflow-hidden rounded-card border border-line bg-page">
        {isShown ? (
          // An address that an administrator types: nothing to optimise beforehand.
          // oxlint-disable-next-line next/no-img-element
          <img
            src={url}
            alt="Icon of the lock screen"
            referrerPolicy="no-referrer"
            className="max-h-full max-w-full"
            onError={() => setFailed(url)}
          />
        ) : (
          <ImageOff aria-hidden="true" className="size-5" />
        )}
      </span>
      {isShown
        ? "This is the icon that your browser finds there."
        : "No icon to show: the address is not https, or your browser finds no image there."}
    </div>
  );
}
