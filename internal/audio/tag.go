package audio

// tagHead is the length of the header of an ID3v2 tag, and of its footer if it has one.
const tagHead = 10

// TagSize returns the length of the ID3v2 tag with the given header of 10 bytes. A tag of version 4
// may have a footer of the same size, which the size in the header does not include.
func TagSize(head []byte) int {
	const version, footed = 4, 0x10
	size := tagHead
	for i, c := range head[6:tagHead] {
		size += int(c&0x7f) << (7 * (3 - i))
	}
	if head[3] >= version && head[5]&footed != 0 {
		size += tagHead
	}
	return size
}
