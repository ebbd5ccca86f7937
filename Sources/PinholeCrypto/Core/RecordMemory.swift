import CTLSRecords

/// The buffers of libssl for records.
package enum RecordMemory {
    /// Lets each thread keep a few of libssl's buffers for the next record.
    ///
    /// Otherwise libssl asks malloc for 17 KiB four times in an exchange.
    ///
    /// Call this before anything else of this module.
    ///
    /// - Returns: Whether buffers are kept now. They are not if OpenSSL allocated memory before, nor under
    ///   the address sanitizer.
    @discardableResult
    package static func keep() -> Bool { pinhole_keep_record_buffers() == 1 }
}
