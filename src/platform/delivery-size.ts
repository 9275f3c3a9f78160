/** Maximum bytes of one delivery, whichever way it comes. */
export const deliveryBytesMax = 32 * 1_048_576
