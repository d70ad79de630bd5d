/* Gives the guest's two CPUs idle states: three that halt, with latencies of 2, 50 and 300 us. */
DefinitionBlock ("", "SSDT", 2, "REIDLE", "CST", 1)
{
	External (\_SB.CPUS.C000, DeviceObj)
	External (\_SB.CPUS.C001, DeviceObj)
	Scope (\_SB.CPUS.C000)
	{
		Name (_CST, Package () { 3,
			Package () { ResourceTemplate () { Register (FFixedHW, 0, 0, 0) }, 1, 2, 1000 },
			Package () { ResourceTemplate () { Register (FFixedHW, 0, 0, 0) }, 1, 50, 500 },
			Package () { ResourceTemplate () { Register (FFixedHW, 0, 0, 0) }, 1, 300, 100 }
		})
	}
	Scope (\_SB.CPUS.C001)
	{
		Name (_CST, Package () { 3,
			Package () { ResourceTemplate () { Register (FFixedHW, 0, 0, 0) }, 1, 2, 1000 },
			Package () { ResourceTemplate () { Register (FFixedHW, 0, 0, 0) }, 1, 50, 500 },
			Package () { ResourceTemplate () { Register (FFixedHW, 0, 0, 0) }, 1, 300, 100 }
		})
	}
}
