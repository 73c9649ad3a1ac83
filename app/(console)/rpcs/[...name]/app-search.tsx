"use client";
export { SearchBox } from "@/app/_components/list/search-box";
