"""Dataclasses and Structs in a state: instances of a subclass that tells the tree of every attribute that is set.

The subclass is made once for each class. It has the class's name, methods and properties, is equal to what an instance
of the class is equal to, and is the class for `isinstance`.
"""

from __future__ import annotations

from typing import Any

import msgspec

from cloche.errors import StoreValueError, shorten
from cloche.store.links import Link, path_of, release
from cloche.store.shapes import fields_of
from cloche.store.tracked import is_same

_tracked: dict[type, type] = {}


def tracked_class(cls: type) -> type:
    """The subclass of a dataclass or Struct whose instances are tracked."""
    found = _tracked.get(cls)
    if found is None:
        found = _tracked[cls] = _make(cls)
    return found


def base_of(cls: type) -> type:
    """The author's class of a tracked object."""
    base: type = getattr(cls, "_cloche_base", cls)
    return base


def make_object(cls: type, link: Link, values: dict[str, Any]) -> Any:
    """A tracked object of the author's class `cls` with these attributes; its `__init__` does not run."""
    kind: Any = tracked_class(cls)
    if issubclass(cls, msgspec.Struct):
        instance = kind(**values)
        vars(instance)["_cloche_link"] = link
        return instance
    instance = object.__new__(kind)
    for name, value in values.items():
        object.__setattr__(instance, name, value)
    object.__setattr__(instance, "_cloche_link", link)
    return instance


def plain_object(cls: type, values: dict[str, Any]) -> Any:
    """An instance of the author's class with these attributes; a dataclass's `__init__` does not run."""
    if issubclass(cls, msgspec.Struct):
        return cls(**values)
    instance = object.__new__(cls)
    for name, value in values.items():
        object.__setattr__(instance, name, value)
    return instance


def _make(cls: type) -> type:
    namespace: dict[str, Any] = {
        "_cloche_base": cls,
        "_cloche_attributes": {field.attribute: field for field in fields_of(cls)},
        "_cloche_names": {field.name: field for field in fields_of(cls)},
        "__setattr__": _set_attribute,
        "__delattr__": _delete_attribute,
        "__eq__": _equals,
        "__hash__": cls.__hash__,
        "__copy__": _plain_copy,
        "__deepcopy__": _deep_copy,
        "__reduce_ex__": _reduce,
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        "__doc__": cls.__doc__,
        "_cloche_place": _place,
        "_cloche_get": _get,
        "_cloche_set": _set,
        "_cloche_remove": _remove,
        "_cloche_fill": _fill,
    }
    if issubclass(cls, msgspec.Struct):
        config = cls.__struct_config__
        namespace["__post_init__"] = lambda self: None
        tag: dict[str, Any] = {} if config.tag is None else {"tag": config.tag, "tag_field": config.tag_field}
        made: type = msgspec.defstruct(
            cls.__name__, [], bases=(cls,), namespace=namespace, dict=True, omit_defaults=False, **tag
        )
        return made
    return type(cls.__name__, (cls,), {**namespace, "__slots__": ("_cloche_link",)})


def _base_set(self: Any, name: str, value: Any) -> None:
    self._cloche_base.__setattr__(self, name, value)


def _set_attribute(self: Any, name: str, value: Any) -> None:
    field = self._cloche_attributes.get(name)
    if field is None:
        _base_set(self, name, value)
        return
    with self._cloche_link.tree as tree:
        old = getattr(self, name)
        if is_same(old, value):
            return
        if value is msgspec.UNSET and not field.may_lack:
            raise StoreValueError(f"the field {name!r} of {self._cloche_base.__name__} has no UNSET: use another value")
        new = value if value is msgspec.UNSET else tree.take_in(value, field.shape, self, field.name)
        path = path_of(self)
        try:
            _base_set(self, name, new)
        except BaseException:  # a frozen class, or a check of the author's
            release(new)
            raise
        if new is msgspec.UNSET:
            tree.removed(self, path, field.name, old)
        elif old is msgspec.UNSET:
            tree.added(self, path, field.name, new)
        else:
            tree.replaced(self, path, field.name, new, old)
        release(old)


def _delete_attribute(self: Any, name: str) -> None:
    if name in self._cloche_attributes:
        raise StoreValueError(f"the field {name!r} belongs to its class and cannot be deleted: set it to None")
    self._cloche_base.__delattr__(self, name)


def _values(self: Any) -> dict[str, Any]:
    return {name: getattr(self, name) for name in self._cloche_attributes}


def _equals(self: Any, other: Any) -> Any:
    if other is self:
        return True
    if not isinstance(other, self._cloche_base):
        return NotImplemented
    theirs = _plain_copy(other) if hasattr(type(other), "_cloche_base") else other
    return _plain_copy(self) == theirs


def _plain_copy(self: Any) -> Any:
    return plain_object(self._cloche_base, _values(self))


def _deep_copy(self: Any, memo: Any) -> Any:
    return self._cloche_link.tree.plain(self)


def _reduce(self: Any, protocol: Any) -> Any:
    return _deep_copy(self, None).__reduce_ex__(protocol)


def _place(self: Any, child: Any) -> str | int:
    return child._cloche_link.key  # type: ignore[no-any-return]


def _field(self: Any, part: str) -> Any:
    field = self._cloche_names.get(part)
    if field is None:
        raise KeyError(part)
    return field


def _get(self: Any, part: str) -> Any:
    value = getattr(self, _field(self, part).attribute)
    if value is msgspec.UNSET:
        raise KeyError(part)
    return value


def _set(self: Any, part: str, value: Any, *, insert: bool) -> None:
    field = _field(self, part)
    try:
        setattr(self, field.attribute, value)
    except AttributeError:
        raise StoreValueError(
            f"{shorten(part)!r} is a field of {self._cloche_base.__name__}, which is frozen: set the whole object"
        ) from None


def _remove(self: Any, part: str) -> None:
    field = _field(self, part)
    if not field.may_lack:
        raise StoreValueError(f"the field {field.name!r} belongs to its class and cannot be removed: set it to null")
    _set(self, part, msgspec.UNSET, insert=False)


def _fill(self: Any, value: Any) -> None:
    """Become equal to an object of the same class, or to its JSON."""
    link: Link = self._cloche_link
    with link.tree as tree:
        base = self._cloche_base
        source = value if isinstance(value, base) else tree.typed(value, base)
        for name in self._cloche_attributes:
            setattr(self, name, getattr(source, name))
