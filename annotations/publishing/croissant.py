"""Croissant metadata (MLCommons, version 1.1) of a published folder, written as JSON-LD."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from annotations.publishing.parquet_files import sha256_of

CONTEXT: dict[str, Any] = {
    "@language": "en", "@vocab": "https://schema.org/", "citeAs": "cr:citeAs",
    "column": "cr:column", "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/", "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract",
    "field": "cr:field", "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet", "format": "cr:format", "includes": "cr:includes",
    "isArray": "cr:isArray", "arrayShape": "cr:arrayShape", "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath", "key": "cr:key", "md5": "cr:md5", "parentField": "cr:parentField",
    "path": "cr:path", "recordSet": "cr:recordSet", "references": "cr:references",
    "regex": "cr:regex", "repeated": "cr:repeated", "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/", "separator": "cr:separator", "source": "cr:source",
    "subField": "cr:subField", "transform": "cr:transform",
}  # fmt: skip
TYPES = {
    "text": "sc:Text", "texts": "sc:Text", "integer": "sc:Integer", "number": "sc:Float",
    "boolean": "sc:Boolean",
}  # fmt: skip


def croissant(
    folder: Path, facts: Mapping[str, str], tables: Mapping[str, tuple[str, Mapping[str, str]]]
) -> dict[str, Any]:
    """The metadata of a folder whose files are written.

    Args:
        folder: the folder.
        facts: name, version, description; licence, creators, citation, url and the fields of
            responsible AI where they are known.
        tables: by name of record set: path of the Parquet file, and its columns with their kinds.
    """
    videos = folder / "videos"
    distribution: list[dict[str, Any]] = [
        {
            "@type": "cr:FileObject", "@id": f"{name}-file", "name": f"{name}-file",
            "contentUrl": path, "encodingFormat": "application/x-parquet",
            "contentSize": f"{(folder / path).stat().st_size} B",
            "sha256": sha256_of(folder / path),
        }
        for name, (path, _) in tables.items()
    ]  # fmt: skip
    if videos.is_dir():
        distribution.append({
            "@type": "cr:FileSet", "@id": "video-files", "name": "video-files",
            "encodingFormat": "video/mp4", "includes": "videos/**",
            "description": "No record set reads them: paths and hashes stand in 'videos'.",
        })  # fmt: skip
    metadata: dict[str, Any] = {
        "@context": CONTEXT, "@type": "sc:Dataset",
        "conformsTo": [
            "http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0",
        ],
        "name": facts["name"], "description": facts["description"], "version": facts["version"],
        "datePublished": datetime.now(UTC).date().isoformat(),
        "isLiveDataset": False,
        "distribution": distribution,
        "recordSet": [_record_set(name, columns) for name, (_, columns) in tables.items()],
    }  # fmt: skip
    for name, key in (("licence", "license"), ("url", "url"), ("citation", "citeAs")):
        if facts.get(name):
            metadata[key] = facts[name]
    if facts.get("creators"):
        metadata["creator"] = [
            {"@type": "sc:Person", "name": name.strip()}
            for name in facts["creators"].split(";") if name.strip()
        ]  # fmt: skip
    metadata |= {name: text for name, text in facts.items() if name.startswith("rai:") and text}
    return metadata


def _record_set(name: str, columns: Mapping[str, str]) -> dict[str, Any]:
    fields = [_field(name, column, kind) for column, kind in columns.items()]
    record_set: dict[str, Any] = {
        "@type": "cr:RecordSet", "@id": name, "name": name, "field": fields,
    }  # fmt: skip
    if name == "questions":
        record_set["key"] = {"@id": "questions/question_id"}
    return record_set


def _field(name: str, column: str, kind: str) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "@type": "cr:Field", "@id": f"{name}/{column}", "name": column, "dataType": TYPES[kind],
        "source": {"fileObject": {"@id": f"{name}-file"}, "extract": {"column": column}},
    }  # fmt: skip
    if kind == "texts":
        entry |= {"isArray": True, "arrayShape": "-1"}
    if column == "question_id" and name != "questions":
        entry["references"] = {"field": {"@id": "questions/question_id"}}
    return entry
