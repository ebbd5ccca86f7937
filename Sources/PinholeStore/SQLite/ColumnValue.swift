/// A value in a column of a row, by the type that SQLite stored it with.
///
/// The bytes of texts and blobs belong to SQLite. They are valid until the statement steps or is reset.
enum ColumnValue {
    case null
    case number(Int64)
    case real(Double)
    /// UTF-8, possibly invalid if another program wrote the file.
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)
}
