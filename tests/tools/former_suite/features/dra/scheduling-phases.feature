@profile:since-1.34
Feature: Scheduling phases of pods with ResourceClaims
  The scheduler checks that the ResourceClaims exist, tries to allocate them on each node, keeps the allocated
  devices in flight, and writes the allocations before it binds the pod.

  Rule: Filter

    Background:
      Given a node "n1"
      And a node "n2"
      And the device
        | device | node | pool |
        | gpu-0  | n2   | n2   |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"

    @case:device-released-by-unreserve
    @DRA/workflow/filter-criteria
    Scenario: A device in flight is available again after the attempt is given up
      Given a claim "d" requesting 1 device
      And a pod "q" that uses claim "d"
      When pod "p" is tried as far as Reserve
      And the attempt for pod "p" is given up
      Then after Unreserve nothing is in flight
      And after Unreserve claim "c" holds nothing
      When pod "q" is tried
      Then after PreBind claim "d" holds exactly "gpu-0"

  Rule: Reserve, PreBind and Unreserve of one ResourceClaim

    Background:
      Given the device
        | device |
        | gpu-0  |
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"
      And a pod "q" that uses claim "c"

    @case:next-attempt-after-failed-write
    @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: The attempt after a failed status update allocates the device
      When the next 1 update of the status of a ResourceClaim by the scheduler ends as Forbidden
      And pod "p" is tried
      Then PreBind ends with Error
      When pod "p" is tried
      Then Bind ends with Success
      And after Bind claim "c" holds exactly "gpu-0"
      And after Bind claim "c" is reserved for pod "p"

  Rule: Pods with several ResourceClaims

    Background:
      Given the devices
        | device |
        | gpu-0  |
        | gpu-1  |
      And a claim "c" requesting 1 device
      And a claim "d" requesting 1 device
      And a pod "p" that uses claims "c, d"

    @case:second-claim-write-fails
    @API/reservation/given-back
    Scenario: If the second ResourceClaim cannot be written, the first stays allocated but unreserved
      When pod "p" is tried as far as Reserve
      And somebody deletes the ResourceClaim "d" in the meantime
      And pod "p" goes on to be bound
      Then PreBind ends with Error
      And after PreBind only claims "c, d" are in flight
      And after Unreserve claim "c" is reserved for nobody
      And after Unreserve claim "c" holds exactly "gpu-0"
      And after Unreserve nothing is in flight
      But until Kubernetes 1.36, because an allocation is in flight no longer than until its claim is written or cannot be: PreBind ends with Error
      But until Kubernetes 1.36, because an allocation is in flight no longer than until its claim is written or cannot be: after PreBind nothing is in flight

  Rule: Events that retry a pod

    Background:
      Given a node "node-1"
      And a device class "any"
      And a claim "c" requesting 1 device
      And a pod "p" that uses claim "c"

    @case:other-claim-missing
    @DRA/workflow/missing-claim-blocks-pod @DRA/workflow/unmet-request-waits @profile:kep
    Scenario: A pod with a missing ResourceClaim is retried when the missing one is created
      Given a pod "q" that uses claims "c, missing"
      When pod "q" is tried
      And somebody changes the ResourceClaim "c" in the meantime
        | field              | value                                                                                                 |
        | status.reservedFor | [{resource: jobs, apiGroup: batch, name: j, uid: 90a7e2a4-7c5e-4a6e-9b7f-6f2f2a1b0001}] |
      Then since Kubernetes 1.34, because the document does not say what is of no help to a pod: pod "q" is not tried again
      When somebody creates this object in the meantime
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: missing, namespace: default}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        """
      Then pod "q" is tried again
