/// A table of values whose keys are numbered in the order of their arrival, such as streams.
///
/// A conversation has one exchange, or at most about a hundred. For these numbers, a search in a sorted array is
/// faster than a hash, and new keys are appended. The values are references, so a value can be changed without access
/// to the table.
package struct NumberedTable<Key: Comparable, Value: AnyObject> {
    /// The keys in ascending order.
    package private(set) var keys: [Key] = []
    /// The values, in the order of their keys.
    package private(set) var values: [Value] = []

    /// Returns the index of `key`, or the index at which it would be inserted.
    private func place(of key: Key) -> (index: Int, isFound: Bool) {
        // Most look-ups are for the latest key.
        guard let last = keys.last, key <= last else { return (keys.count, false) }
        if key == last { return (keys.count - 1, true) }
        var (low, high) = (0, keys.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return (low, keys[low] == key)
    }

    /// The value of a key, or `nil` if there is none; assigning `nil` removes the key.
    package subscript(key: Key) -> Value? {
        get {
            let found = place(of: key)
            return found.isFound ? values[found.index] : nil
        }
        set {
            let found = place(of: key)
            switch (found.isFound, newValue) {
            case (true, let value?): values[found.index] = value
            case (true, nil): remove(at: found.index)
            case (false, let value?) where found.index == keys.count:
                keys.append(key)
                values.append(value)
            case (false, let value?):
                keys.insert(key, at: found.index)
                values.insert(value, at: found.index)
            case (false, nil): break
            }
        }
    }

    /// Removes a key, and returns its value; `nil` if there was none.
    package mutating func removeValue(forKey key: Key) -> Value? {
        let found = place(of: key)
        guard found.isFound else { return nil }
        let value = values[found.index]
        remove(at: found.index)
        return value
    }

    private mutating func remove(at index: Int) {
        // An insertion or a removal in the middle costs ten times as much as one at the end.
        if index == keys.count - 1 {
            keys.removeLast()
            values.removeLast()
        } else {
            keys.remove(at: index)
            values.remove(at: index)
        }
    }
}

extension NumberedTable: ExpressibleByDictionaryLiteral {
    /// Creates a table of these keys and values.
    package init(dictionaryLiteral elements: (Key, Value)...) {
        self.init()
        for (key, value) in elements { self[key] = value }
    }

    /// Whether the table is empty.
    package var isEmpty: Bool { keys.isEmpty }

    /// The number of keys.
    package var count: Int { keys.count }

    /// The first key and its value; `nil` if the table is empty.
    package var first: (key: Key, value: Value)? {
        guard let key = keys.first, let value = values.first else { return nil }
        return (key, value)
    }

    /// Returns the first key whose value fulfils a condition; `nil` if there is none.
    package func firstKey(where isMeant: (Value) -> Bool) -> Key? {
        values.firstIndex(where: isMeant).map { keys[$0] }
    }
}
