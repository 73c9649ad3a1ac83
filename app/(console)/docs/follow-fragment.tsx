"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { objectHref, operationHref } from "./sections";

/** Redirects `#getGroups` and `#object-Group`, since the server does not see the fragment. */
export function FollowFragment({
  operations,
  objects,
}: Readonly<{ operations: readonly string[]; objects: readonly string[] }>) {
  const router = useRouter();
  useEffect(() => {
    function follow() {
      const target = window.location.hash.slice(1);
      const object = target.startsWith("object-") ? target.slice("object-".length) : null;
      if (operations.includes(target)) router.replace(operationHref(target));
      else if (object !== null && objects.includes(object)) router.replace(objectHref(object));
    }
    follow();
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, [router, operations, objects]);
  return null;
}
