/** What one delivery may have at most, whichever way it comes. */
export const deliveryBytesMax = 32 * 1_048_576
