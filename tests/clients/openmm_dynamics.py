# OpenMM on its OpenCL platform: molecular dynamics with generated kernels, sorts of particles by cell, constraints,
# rings of polymers, page-locked buffers that stay mapped. The energies differ from run to run, also without gpusan.
# packages: python3-simtk libopenmm-plugins
# suite: long
# expect: error free-in-flight clReleaseMemObject
# expect: warning uninitialized-read clEnqueueNDRangeKernel
# expect: warning uninitialized-read clEnqueueReadBuffer
# timeout: 600
import math

import openmm as mm

PARTICLES = 216
SIDE = 2.0  # of the periodic box [nm]
PLATFORM = mm.Platform.getPlatformByName("OpenCL")


def positions():
    """Molecules of three particles on a lattice."""
    shape = ((0, 0, 0), (0.1, 0, 0), (-0.033, 0.0943, 0))
    result = []
    for i in range(PARTICLES):
        molecule, part = divmod(i, 3)
        corner = (molecule % 4 * SIDE / 4, molecule // 4 % 4 * SIDE / 4, molecule // 16 * SIDE / 5)
        result.append(mm.Vec3(*(0.05 + a + b for a, b in zip(corner, shape[part]))))
    return result


def water(rigid):
    """Charges with long-range forces by Fourier transforms."""
    charges = mm.NonbondedForce()
    charges.setNonbondedMethod(charges.PME)
    charges.setCutoffDistance(0.8)
    angles = mm.HarmonicAngleForce()
    system = mm.System()
    for i in range(PARTICLES):
        charges.addParticle(-0.8 if i % 3 == 0 else 0.4, 0.3, 0.6 if i % 3 == 0 else 0.0)
        system.addParticle(18)
    for i in range(0, PARTICLES, 3):
        angles.addAngle(i + 1, i, i + 2, 1.9, 300)
        for a, b, length in ((i, i + 1, 0.1), (i, i + 2, 0.1), (i + 1, i + 2, 0.163)):
            charges.addException(a, b, 0, 0.3, 0)
            if rigid:
                system.addConstraint(a, b, length)
    return system, [charges, angles]


def formulas():
    """Forces whose kernels OpenMM writes from formulas."""
    pairs = mm.CustomNonbondedForce("e*((s/r)^12-(s/r)^6); s=0.5*(s1+s2); e=sqrt(e1*e2)")
    pairs.addPerParticleParameter("s")
    pairs.addPerParticleParameter("e")
    pairs.setNonbondedMethod(pairs.CutoffPeriodic)
    pairs.setCutoffDistance(0.7)
    bonds = mm.CustomBondForce("k*(r-0.33)^2")
    bonds.addPerBondParameter("k")
    system = mm.System()
    for i in range(PARTICLES):
        pairs.addParticle([0.3, 0.4])
        system.addParticle(18)
        if i % 2 == 0:
            bonds.addBond(i, i + 1, [100.0])
    return system, [pairs, bonds, mm.CMMotionRemover(3)]


def run(name, parts, integrator, copies=0):
    system, forces = parts
    system.setDefaultPeriodicBoxVectors(mm.Vec3(SIDE, 0, 0), mm.Vec3(0, SIDE, 0), mm.Vec3(0, 0, SIDE))
    for force in forces:
        system.addForce(force)
    context = mm.Context(system, integrator, PLATFORM)
    if copies:
        for copy in range(copies):
            integrator.setPositions(copy, positions())
    else:
        context.setPositions(positions())
        context.applyConstraints(1e-5)
        context.setVelocitiesToTemperature(300, 1)
    integrator.step(6)
    wanted = {"getEnergy": True, "getForces": True, "getPositions": True}
    state = integrator.getState(1, **wanted) if copies else context.getState(**wanted)
    print(name, "ok" if math.isfinite(state.getPotentialEnergy()._value) else "WRONG")


run("water", water(True), mm.NoseHooverIntegrator(300, 1.0, 0.001))
run("rings", water(False), mm.RPMDIntegrator(4, 300, 1.0, 0.0005), 4)
run("formulas", formulas(), mm.VariableVerletIntegrator(0.001))
