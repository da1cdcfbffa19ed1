// Package bucket is what monitoring counts, and how the counts are kept: a Bucket for
// each stretch of time of a Series, packed by the hour into the rows of days (Roll) and
// of weeks (Week). It puts fresh buckets into rows, adds up stored ones without unpacking more of
// them than a question needs (Gathering), and puts days together where they do not begin as those
// of UTC do (ZoneDays). It is arithmetic over bytes: no transaction, no clock.
//
// Package monitor counts calls into buckets and asks them, package store keeps the rows,
// package pack is the form of their bytes, package trend that of the sketches.
package bucket
