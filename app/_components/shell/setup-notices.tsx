"use client";
import { X } from "lucide-react";
import { useState, type ReactNode } from "react";
import { IconButton } from "@/app/_components/icon-button";
import { Notice } from "@/app/_components/notice";
import { hiddenNoticesCookie } from "@/app/_components/shell/hidden-notices-cookie";

export interface Setup {
  readonly isOpen: boolean;
  readonly isEmbedded: boolean;
  readonly isExampleDirectory: boolean;
}

const yearSeconds = 31_536_000;

/** What must not stay so in production, until it is put away in this browser. Comes back when something is added. */
export function SetupNotices({ isOpen, isEmbedded, isExampleDirectory, hidden }: Readonly<Setup & { hidden: string }>) {
  const found = Object.entries({ isOpen, isEmbedded, isExampleDirectory }).flatMap(([name, is]) => (is ? [name] : []));
  const [isHidden, setIsHidden] = useState(found.every((name) => hidden.split(".").includes(name)));
  if (isHidden) return null;
  return (
    <Notice
      className="mb-5"
      title="Set up for trying out, not for production"
      action={
        <IconButton
          icon={X}
          label="Put away in this browser"
          size="icon-sm"
          onClick={() => {
            document.cookie = `${hiddenNoticesCookie}=${found.join(".")}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`;
            setIsHidden(true);
          }}
        />
      }
    >
      <ul className="space-y-0.5">
        {isOpen && (
          <li>
            No password protects this console: anyone who can reach this server can change what vehicles receive. Set{" "}
            <Name>AUTH_TYPE=basic</Name>.
          </li>
        )}
        {isEmbedded && (
          <li>
            Data live in the embedded database. Set <Name>MONGODB_URI</Name> to a replica set.
          </li>
        )}
        {isExampleDirectory && (
          <li>
            Apps are made up by the example directory. Set <Name>SHAID_PUBLIC_KEY</Name> and{" "}
            <Name>SHAID_SECRET_KEY</Name> to get real ones.
          </li>
        )}
      </ul>
    </Notice>
  );
}

const Name = ({ children }: Readonly<{ children: ReactNode }>) => <code className="font-mono text-xs">{children}</code>;
