"use client";
import { FlaskConical, Lock } from "lucide-react";
import { cn } from "@/app/_components/ui/cn";
import { usePageEnvironment } from "@/app/_components/shell/bars/environment";

const looks = {
  staging: {
    icon: FlaskConical,
    name: "Staging",
    words: "Changes are saved here and reach production when you publish them",
    className: "border-warn-line bg-warn-soft text-warn",
  },
  production: {
    icon: Lock,
    name: "Production · read-only",
    words: "What vehicles receive now",
    className: "border-calm-line bg-calm-soft text-calm",
  },
} as const;

export function EnvironmentStrip() {
  const environment = usePageEnvironment();
  if (environment === null) return null;
  const { icon: Icon, name, words, className } = looks[environment];
  return (
    <div
      data-environment-strip={environment}
      className={cn("flex h-7 items-center gap-2 border-b px-4 text-xs md:px-6", className)}
    >
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      <strong className="font-semibold whitespace-nowrap">{name}</strong>
      <span className="truncate max-sm:sr-only">{words}</span>
    </div>
  );
}
